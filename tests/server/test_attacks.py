"""The list of attacks in docs/server.md names tests that exist."""

from pathlib import Path

HERE = Path(__file__).parent
LIST = (HERE.parents[1] / "docs" / "server.md").read_text(encoding="utf-8").split("## Attacks and their tests")[1].split("\n## ")[0]
ROWS = [[cell.strip() for cell in line.strip("|").split("|")] for line in LIST.splitlines() if line.startswith("| ")][2:]


def test_every_attack_is_held_by_tests_that_exist():
    attacks = [row for row in ROWS if not row[0].startswith("**")]
    assert len(attacks) > 30
    for attack, file, tests in attacks:
        text = (HERE / file.strip("`")).read_text(encoding="utf-8")
        assert tests, attack
        for test in tests.split(", "):
            assert f"def {test.strip('`')}(" in text, (attack, file, test)
