"""`asset completion`: what a shell needs to complete commands, options and their values, and model files."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from asset.cli import arguments, output
from asset.languages import ENDINGS

_DESCRIPTION = """\
Prints a script that lets the shell complete the commands of asset, their
options, and the files of models."""

_EXAMPLES = """\
to use it now, and whenever a shell begins:
  bash   eval "$(asset completion bash)"                           in ~/.bashrc
  zsh    eval "$(asset completion zsh)"                            in ~/.zshrc, after compinit
  fish   asset completion fish | source                            in ~/.config/fish/config.fish"""

SHELLS = ("bash", "zsh", "fish")

_BRACES = re.compile(r"\{([\w,]+)\}")


@dataclass(frozen=True, slots=True)
class ShellOption:
    """`words` are the ways to write it; `choices` are its values, if they are few."""

    words: tuple[str, ...]
    choices: tuple[str, ...]
    takes_value: bool
    help: str


@dataclass(frozen=True, slots=True)
class ShellCommand:
    """A command as a shell sees it."""

    name: str
    help: str
    options: tuple[ShellOption, ...]
    choices: tuple[str, ...]
    """Of its first argument; none if that is a file."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description, parser.epilog = _DESCRIPTION, _EXAMPLES
    parser.add_argument("shell", choices=SHELLS, help="the shell that is to complete")


def run(words: argparse.Namespace) -> int:
    """Prints the script for the shell."""
    commands = list(shell_commands())
    scripts = {"bash": bash, "zsh": zsh, "fish": fish}
    output.print_text(scripts[words.shell](commands))
    return 0


def shell_commands() -> Iterator[ShellCommand]:
    """Every command with its options, as the parser has them."""
    for listed in _commands("")._choices_actions:
        name = listed.dest
        actions = _commands(name).choices[name]._actions
        options = [_option(each) for each in actions if each.option_strings and each.help != argparse.SUPPRESS]
        choices = [str(choice) for each in actions if not each.option_strings for choice in each.choices or ()]
        yield ShellCommand(name, str(listed.help), tuple(options), tuple(choices))


def _commands(chosen: str) -> Any:
    """What argparse knows of the commands, the chosen one with its options; argparse has no public name for it."""
    parser = arguments.parser_for(chosen)
    return next(action for action in parser._actions if isinstance(action, argparse._SubParsersAction))


def _option(action: argparse.Action) -> ShellOption:
    shown = _BRACES.fullmatch(str(action.metavar or ""))
    choices = tuple(shown[1].split(",")) if shown else tuple(map(str, action.choices or ()))
    return ShellOption(tuple(action.option_strings), choices, action.nargs != 0, str(action.help or ""))


# --- scripts ----------------------------------------------------------------------------------------------------


def bash(commands: list[ShellCommand]) -> str:
    """Options after a dash, their choices after them, else folders and files of models."""
    names = " ".join(command.name for command in commands)
    values = "\n".join(
        f'    "{command.name} {word}") words="{" ".join(option.choices)}" ;;'
        for command in commands
        for option in command.options
        if option.choices
        for word in option.words
    )
    options = "\n".join(
        f'    {command.name}) words="{" ".join(word for option in command.options for word in option.words)}" ;;'
        for command in commands
    )
    files = " ".join(f"$(compgen -f -X '!*{ending}' -- \"$cur\")" for ending in ENDINGS)
    firsts = "\n".join(f'    {each.name}) words="{" ".join(each.choices)}" ;;' for each in commands if each.choices)
    return f"""\
_asset() {{
  local cur="${{COMP_WORDS[COMP_CWORD]}}" prev="${{COMP_WORDS[COMP_CWORD-1]}}" command="${{COMP_WORDS[1]}}" words=""
  COMPREPLY=()
  if [[ $COMP_CWORD -eq 1 ]]; then
    COMPREPLY=($(compgen -W "{names} --help --version" -- "$cur"))
    return
  fi
  case "$command $prev" in
{values}
  esac
  if [[ -z $words && $cur == -* ]]; then
    case "$command" in
{options}
    esac
  fi
  if [[ -z $words ]]; then
    case "$command" in
{firsts}
    esac
  fi
  if [[ -n $words ]]; then
    COMPREPLY=($(compgen -W "$words" -- "$cur"))
  else
    COMPREPLY=({files} $(compgen -d -- "$cur"))
  fi
}}
complete -o filenames -F _asset asset"""


def zsh(commands: list[ShellCommand]) -> str:
    """The words of `_arguments`, for each command."""
    lines = ["#compdef asset", "_asset() {", "  local -a commands", "  commands=("]
    lines += [f"    {_quoted(f'{each.name}:{each.help}')}" for each in commands]
    lines += ["  )", "  if (( CURRENT == 2 )); then", "    _describe command commands", "    return", "  fi"]
    lines += ["  local command=$words[2]", "  shift words", "  (( CURRENT-- ))", "  case $command in"]
    for each in commands:
        lines.append(f"    {each.name})")
        parts = [part for option in each.options for part in _zsh_option(option)]
        first = f"1:value:({' '.join(each.choices)})" if each.choices else f"*:model:_files -g '*({'|'.join(ENDINGS)})'"
        lines.append(f"      _arguments {' '.join(map(_quoted, [*parts, first]))} ;;")
    lines += ["  esac", "}", "compdef _asset asset"]
    return "\n".join(lines)


def _zsh_option(option: ShellOption) -> Iterator[str]:
    help_ = re.sub(r"[\[\]:]", " ", option.help)
    for word in option.words:
        if not option.takes_value:
            yield f"{word}[{help_}]"
        elif option.choices:
            yield f"*{word}[{help_}]:value:({' '.join(option.choices)})"
        else:
            yield f"*{word}[{help_}]:value:_files"


def fish(commands: list[ShellCommand]) -> str:
    """One `complete` for each command and each option."""
    lines = ["complete -c asset -f -n __fish_use_subcommand -l help", "complete -c asset -n __fish_use_subcommand -f"]
    for each in commands:
        lines.append(f"complete -c asset -f -n __fish_use_subcommand -a {each.name} -d {_fish(each.help)}")
        seen = f"-n '__fish_seen_subcommand_from {each.name}'"
        for option in each.options:
            flags = " ".join(f"-l {w[2:]}" if w.startswith("--") else f"-s {w[1:]}" for w in option.words)
            if option.choices:
                flags += f" -xa {_fish(' '.join(option.choices))}"
            elif option.takes_value:
                flags += " -r"
            lines.append(f"complete -c asset {seen} {flags} -d {_fish(option.help)}")
        if each.choices:
            lines.append(f"complete -c asset -f {seen} -a {_fish(' '.join(each.choices))}")
        else:
            suffixes = "; ".join(f"__fish_complete_suffix {ending}" for ending in ENDINGS)
            lines.append(f"complete -c asset {seen} -k -fa '({suffixes})'")
    return "\n".join(lines)


def _quoted(text: str) -> str:
    """For the shells of the Bourne family."""
    return "'" + text.replace("'", "'\\''") + "'"


def _fish(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
