"""The languages that models are written in: a record for each, found by the ending of a file.

A front end is loaded when a file of its language is: the records alone are enough to read a command line. Only this
package knows front ends; commands and checks take a `Subject`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from asset.deferred import dataclass, field
from asset.errors import UsageError

if TYPE_CHECKING:
    from asset.checks.subject import Subject
    from asset.model import Model

PATIENCE = 10.0
"""Seconds that one call into foreign code may take, unless the user says otherwise."""


@dataclass(frozen=True, slots=True)
class ModelSpec:
    """A model as its user names it: a file, and the values of parameters as text.

    If the model is foreign code, a call that has not returned after `patience` seconds is assumed never to return.
    """

    file: str
    parameters: Mapping[str, str] = field(default_factory=dict)
    patience: float = PATIENCE

    @property
    def words(self) -> list[str]:
        """The words of a command line that name this model."""
        flag = language_of(self.file).option.flag
        given = [word for name, value in self.parameters.items() for word in (flag, f"{name}={value}")]
        return [self.file, *given, *([] if self.patience == PATIENCE else ["--patience", str(self.patience)])]


@dataclass(frozen=True, slots=True)
class ParameterOption:
    """An option of the command line that gives a parameter its value."""

    flag: str
    form: str
    help: str
    bare: bool = False
    """Whether the value may be left out, which is then 1."""


PARAMETER = ParameterOption("-p", "NAME=VALUE", "give a parameter its value")
MACRO = ParameterOption("-D", "NAME[=VALUE]", "define a macro of a .model or .pml file", bare=True)
PARAMETER_OPTIONS = (PARAMETER, MACRO)


@dataclass(frozen=True, slots=True)
class Language:
    """A language: the endings of its files, how the command line names a model in it, and how a model is loaded."""

    name: str
    endings: tuple[str, ...]
    usage: str
    """How a model is named, to go after `a model is given as`."""
    option: ParameterOption
    example: str
    """A parameter with its value, for messages."""
    load: Callable[[ModelSpec], Subject]
    parts: tuple[str, ...]
    """Endings of the files beside a model that it may be made of."""
    switches: tuple[str, ...] = ()
    """Reductions that are parameters of the model, too: `--stubborn hand` gives it the parameter `stubborn`."""
    foreign: bool = False
    """Whether a model is code that runs in a process of its own, where it may crash or never return."""

    bounds: tuple[str, ...] = ()
    """What a parameter may bound besides: `length(f)`."""

    def parameters(self, words: Sequence[str]) -> dict[str, str]:
        """The parameters by name, each given once, from words like `n=8`."""
        found: dict[str, str] = {}
        flag = self.option.flag
        for word in words:
            name, equals, value = word.partition("=")
            if not self._is_name(name) or not (equals or self.option.bare):
                raise UsageError.of(f"{flag} {word}: not of the form {self.option.form}", remedy=self.advice)
            if name in found:
                already = f"{name} already has the value {found[name]}"
                raise UsageError.of(f"{flag} {word}: {already}", remedy="give it once")
            found[name] = value if equals else "1"
        return found

    def _is_name(self, text: str) -> bool:
        bound, bracket, rest = text.partition("(")
        if bracket and bound in self.bounds:
            return rest.endswith(")") and rest[:-1].isidentifier()
        return text.isidentifier()

    @property
    def advice(self) -> str:
        """How to give a parameter its value."""
        return f"write it like {self.option.flag} {self.example}"


def _python(spec: ModelSpec) -> Subject:
    from asset.languages import python_model

    return python_model.load(spec)


def _model_file(spec: ModelSpec) -> Subject:
    from asset.languages import model_file

    return model_file.load(spec)


def _promela(spec: ModelSpec) -> Subject:
    from asset.languages import promela_file

    return promela_file.load(spec)


def _machine(spec: ModelSpec) -> Subject:
    from asset.languages import asm_machine

    return asm_machine.load(spec)


LANGUAGES = (
    Language(
        name="Python",
        endings=(".py",),
        usage="file.py, or file.py:Class if the file has several models",
        option=PARAMETER,
        example="n=8",
        load=_python,
        parts=(".py",),
    ),
    Language(
        name="C++",
        endings=(".model",),
        usage="file.model",
        option=MACRO,
        example="size_par=8",
        load=_model_file,
        parts=(".model", ".h", ".hh", ".hpp", ".inc"),
        switches=("stubborn", "symmetry"),
        foreign=True,
    ),
    Language(
        name="Promela",
        endings=(".pml",),
        usage="file.pml",
        option=MACRO,
        example="N=4",
        load=_promela,
        parts=(".pml", ".h", ".inc"),
    ),
    Language(
        name="ASM",
        endings=(".asm",),
        usage="file.asm",
        option=PARAMETER,
        example="n=8",
        load=_machine,
        parts=(".asm",),
        bounds=("length", "count"),
    ),
)

ENDINGS = tuple(ending for language in LANGUAGES for ending in language.endings)


def language_of(model: str) -> Language:
    """The language of a model that is named by its file, or by its file and what is behind a colon."""
    for text in (model, model.rpartition(":")[0]):
        for language in LANGUAGES:
            if text.endswith(language.endings):
                return language
    if model and Path(model).is_dir():
        raise UsageError.of(f"{model} is a folder", remedy="a model is given as file.py, or file.py:Class")
    meant = next((model + ending for ending in ENDINGS if Path(model + ending).is_file()), None)
    raise UsageError.of(
        f"{model}: no language that is known has files with this ending",
        remedy=f"did you mean {meant}?" if meant else f"the endings that are known: {', '.join(ENDINGS)}",
    )


def file_of(model: str) -> Path:
    """The file of a model; UsageError if there is none."""
    language = language_of(model)
    path = Path(model if model.endswith(language.endings) else model.rpartition(":")[0])
    if not os.path.isfile(path):
        raise UsageError.of(f"there is no file {path}", remedy=f"a model is given as {language.usage}")
    return path


def load(spec: ModelSpec) -> Subject:
    """The model in the file, in whatever language it is written."""
    file_of(spec.file)
    return language_of(spec.file).load(spec)


def subject_of(model: Model | Subject) -> Subject:
    """The subject for a model that is a Python object; a subject is one already."""
    from asset.checks.subject import Subject
    from asset.model import Model

    if isinstance(model, Subject):
        return model
    if not isinstance(model, Model):
        what = f"the class {model.__name__}" if isinstance(model, type) else type(model).__name__
        raise TypeError(f"a model is an object of a subclass of asset.Model, or what asset.load gives; not {what}")
    from asset.languages.python_model import PythonSubject

    return PythonSubject(model)
