"""The pace of bots, changed during a game; and skipping to one's own turn."""

from branchline.server.protocol import messages as m
from branchline.server.settings import Settings
from branchline.server.tables.commands import Asked
from branchline.server.tables.due import next_due
from branchline.server.tables.opening import rematch_header
from branchline.server.tables.table import Table
from tests.server.tables_only import ANN, BOB, refused, with_tables

SLOW = 3.0


async def among_bots(server):
    """A game of Ann and three bots, in which a bot is about to act."""
    table = await server.create(ANN, "london", ("person", "easy", "easy", "easy"), pace=SLOW, first_seat=1)
    while (now := await server.table(table)).state.phase != "action" or now.choosers == [0]:
        if 0 in now.choosers:
            await server.decide(table, ANN)
        else:
            await server.wait(table, SLOW)
    return table


def wait_for(table):
    return next_due(table, Settings()).at - table.played_at


@with_tables()
async def test_a_new_pace_holds_from_the_next_action_and_for_the_rematch(server):
    table = await among_bots(server)
    assert wait_for(await server.table(table)) == SLOW
    await server.ask(table, ANN, m.Pace(pace=0.5))
    now = await server.table(table)
    assert wait_for(now) == 0.5
    assert (await server.see(table, ANN))["state"]["settings"]["pace"] == 0.5
    assert rematch_header(now, Asked(now.host, m.Rematch(), server.clock())).settings["pace"] == 0.5


@with_tables()
async def test_after_skip_bots_do_not_wait_until_the_person_is_asked(server):
    table = await among_bots(server)
    await server.ask(table, ANN, m.Skip())
    assert wait_for(await server.table(table)) == 0
    await server.wait(table)
    now = await server.table(table)
    assert now.choosers == [0], "all bots have acted, without the clock going on"
    assert now.skips_to is None
    assert now.pace == SLOW


@with_tables()
async def test_a_table_read_from_its_log_has_its_pace(server):
    table = await among_bots(server)
    await server.ask(table, ANN, m.Pace(pace=0.0))
    again = Table((await server.table(table)).header)
    for entry in await server.tables.store.log(table):
        again.apply(entry)
    assert again.pace == 0


@with_tables()
async def test_among_several_people_the_host_sets_the_pace(server):
    table = await server.create(ANN, "london", ("person", "person", "easy"), pace=SLOW)
    await server.join(table, BOB)
    for command in (m.Pace(pace=0.0), m.Skip()):
        async with refused("not_host"):
            await server.ask(table, BOB, command)
    await server.ask(table, ANN, m.Pace(pace=0.0))
    assert (await server.table(table)).pace == 0
