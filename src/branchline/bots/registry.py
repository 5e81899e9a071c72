"""Find bots: built in, installed alongside Branchline, or in your own file."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import os
import sys
from collections.abc import Callable, Iterable
from functools import partial
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from branchline.bots.base import Bot, BotError, BotOptionError, PolicyBot, in_short
from branchline.bots.compiled.policies import POLICIES
from branchline.bots.learned import LearnedBot
from branchline.bots.levels import LEVELS, LevelBot, PlannerBot
from branchline.bots.processes.commands import command_of, is_program
from branchline.bots.search import SearchBot, read_budget
from branchline.errors import did_you_mean

GROUP = "branchline.bots"  # the entry point group for bots of installed packages

Factory = Callable[[str | None, int], Bot]  # takes what follows `@` in the bot's name, if anything, and the seed


def without_options(name: str, options: str | None) -> None:
    if options is not None:
        raise BotOptionError(f"the bot {name!r} has no options: write {name!r} alone, not '{name}@{options}'")


def policy(name: str, options: str | None, seed: int) -> Bot:
    without_options(name, options)
    return PolicyBot(name, seed)


def planner(options: str | None, seed: int) -> Bot:
    without_options("planner", options)
    return PlannerBot(seed)


def learned(options: str | None, seed: int) -> Bot:
    without_options("learned", options)
    return LearnedBot(seed)


def search(options: str | None, seed: int) -> Bot:
    return SearchBot(read_budget(options), seed)


def level(name: str, options: str | None, seed: int) -> Bot:
    without_options(name, options)
    return LevelBot(name, seed)


FACTORIES: dict[str, Factory] = {
    **{name: partial(policy, name) for name in POLICIES},
    "planner": planner,
    "learned": learned,
    "search": search,
    **{name: partial(level, name) for name in LEVELS},
}


def installed_bots() -> dict[str, EntryPoint]:
    """The bots of installed packages, except those with the name of a built-in bot."""
    return {entry.name: entry for entry in entry_points(group=GROUP) if entry.name not in FACTORIES}


def available_bots() -> tuple[str, ...]:
    """All names that `make_bot` knows, built-in ones first."""
    return (*FACTORIES, *sorted(installed_bots()))


def make_bot(spec: str, seed: int = 0) -> Bot:
    """A bot by name (`greedy`), name and options (`search@500`), the name of an installed one, `module:Class`, or a program (`./my_bot`)."""
    if is_program(spec):
        from branchline.bots.processes.program_bot import program_bot  # messages are only checked where there are any

        return program_bot(spec, seed)
    name, options = parted(spec)
    if name in FACTORIES:
        return FACTORIES[name](options, seed)
    installed = installed_bots()
    check_known(spec, installed)
    return summoned(name, loaded(installed[name]) if name in installed else imported(name), seed)


def parted(spec: str) -> tuple[str, str | None]:
    """What stands before `@` in a bot's name, and what follows it, if anything."""
    name, at, rest = spec.partition("@")
    return name, rest if at else None


def check_known(spec: str, installed: Iterable[str]) -> None:
    """Refuse a name that is neither an installed bot's nor `module:Class`, and options, which only our own bots have."""
    name, options = parted(spec)
    if ":" not in name and name not in installed:
        known = (*FACTORIES, *sorted(installed))
        hint = did_you_mean(name, known)
        raise BotOptionError(f"there is no bot {spec!r}; the bots are {', '.join(known)}, and your own as module:Class or ./program{hint}")
    without_options(name, options)


def look_up(spec: str) -> None:
    """Refuse what names no bot, without running code that is not ours: that may be for a process of its own."""
    name, options = parted(spec)
    if is_program(spec):
        command_of(spec)
    elif name in FACTORIES:
        FACTORIES[name](options, 0)
    else:
        installed = installed_bots()
        check_known(spec, installed)
        if name not in installed:
            find_module(name)


def find_module(spec: str) -> None:
    """Is there a file for the outermost package of `module:Class`? What is in it is only known when it runs."""
    module = spec.partition(":")[0].partition(".")[0]
    also_here()
    if not module or (module not in sys.modules and importlib.util.find_spec(module) is None):
        missing = ModuleNotFoundError(name=module)
        raise BotOptionError(f"the bot {spec!r} cannot be loaded: {why_not_found(module, missing)}")


def imported(spec: str) -> Any:
    """The class that `module:Class` names; the module may be in the current directory."""
    module, _, name = spec.partition(":")
    also_here()
    try:
        found = importlib.import_module(module)
    except Exception as error:
        if wrong := why_not_found(module, error):
            raise BotOptionError(f"the bot {spec!r} cannot be loaded: {wrong}") from error
        raise BotError(f"the bot {spec!r} cannot be loaded: importing {module} failed with {in_short(error)}") from error
    if not hasattr(found, name):
        raise BotOptionError(f"the bot {spec!r} cannot be loaded: {module} has no {name!r}; it has {', '.join(classes_of(found)) or 'no class'}")
    return getattr(found, name)


def also_here() -> None:
    """Look for modules in the current directory, too."""
    if os.getcwd() not in sys.path and "" not in sys.path:
        sys.path.append(os.getcwd())  # at the end, so that no file of the user shadows a library
    importlib.invalidate_caches()


def why_not_found(module: str, error: Exception) -> str:
    """What is wrong with the module's name; nothing if the module is there, and breaks while it is imported."""
    if isinstance(error, ModuleNotFoundError) and error.name and f"{module}.".startswith(f"{error.name}."):
        return f"there is no module {error.name!r}, neither in the current directory ({os.getcwd()}) nor installed"
    if not module or (isinstance(error, (TypeError, ValueError)) and module.startswith(".")):
        return f"{module!r} is not a module name; write module:Class, such as my_bots:Collector"
    return ""


def classes_of(module: Any) -> list[str]:
    return [name for name, value in vars(module).items() if inspect.isclass(value) and value.__module__ == module.__name__]


def loaded(entry: EntryPoint) -> Any:
    try:
        return entry.load()
    except Exception as error:
        raise BotError(f"the bot {entry.name!r} is installed, but {entry.value} cannot be loaded: {in_short(error)}") from error


def summoned(spec: str, make: Any, seed: int) -> Bot:
    """A bot from your class or function, called with the seed if it takes one."""
    if not callable(make):
        raise BotError(f"the bot {spec!r} is not a class: name a class, or a function that makes a bot, not {make!r}")
    try:
        bot = make(seed=seed) if takes_seed(make) else make()
    except Exception as error:
        raise BotError(f"the bot {spec!r} cannot be made: {in_short(error)}") from error
    if not isinstance(getattr(bot, "name", None), str) or not callable(getattr(bot, "decide", None)):
        raise BotError(f"{spec!r} does not make a bot: a bot needs a `name` (a string) and a method `decide(view)`")
    return bot  # type: ignore[no-any-return]  # it has just been checked


def takes_seed(make: Any) -> bool:
    try:
        parameters = inspect.signature(make).parameters.values()
    except ValueError:  # some built-in classes have no signature
        return False
    return any(one.name == "seed" or one.kind is one.VAR_KEYWORD for one in parameters)
