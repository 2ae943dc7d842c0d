"""Statements as SPIN prints them: operators in brackets, without spaces, and macros as what they stand for."""

from __future__ import annotations

from collections.abc import Sequence

from asset.frontends.promela import syntax as s


def statement_text(statement: s.Stmt) -> str | None:
    """None for what is no statement that takes a step of its own."""
    match statement:
        case s.Condition(value=value):
            return f"({expression_text(value)})"
        case s.Assign(target=target, value=value):
            return f"{expression_text(target)} = {expression_text(value)}"
        case s.Send(channel=channel, arguments=arguments, in_order=in_order):
            return f"{expression_text(channel)}{'!!' if in_order else '!'}{_listed(arguments)}"
        case s.Receive(channel=channel, arguments=arguments, keeps=keeps):
            taken = ",".join(map(_argument_text, arguments))
            return f"{expression_text(channel)}{_question(statement)}{f'<{taken}>' if keeps else taken}"
        case s.Assert(value=value):
            return f"assert({expression_text(value)})"
        case s.Print(text=text, arguments=arguments) if text:
            told = text[1:-1].replace("\\", "\\\\")
            return f"printf('{told}'{''.join(f',{expression_text(each)}' for each in arguments)})"
        case s.Discard(value=value):
            return f"_ = {expression_text(value)}"
        case s.SetPriority(number=number, value=value):
            return f"set_priority({expression_text(number)}, {expression_text(value)})"
        case s.Else():
            return "else"
    return None


def expression_text(e: s.Expr) -> str:
    match e:
        case s.Number(value=value, name=name):
            return name or str(value)
        case s.Reference(declaration=declaration, index=index, parts=parts):
            return declaration.name + _index_text(index) + _parts_text(parts)
        case s.Predefined(name=name):
            return name
        case s.Unary(op=op, operand=operand):
            return f"{op}({expression_text(operand)})"
        case s.Binary(op=op, left=left, right=right):
            return f"({expression_text(left)}{op}{expression_text(right)})"
        case s.Conditional(test=test, then=then, orelse=orelse):
            return f"( ({expression_text(test)}) -> ({expression_text(then)}) : ({expression_text(orelse)}) )"
        case s.Run(process=process, arguments=arguments):
            return f"run {process}({_listed(arguments)})"
        case s.ChannelQuery(query=query, channel=channel):
            return f"{query}({expression_text(channel)})"
        case s.Poll(channel=channel, arguments=arguments):
            return f"{expression_text(channel)}{_question(e)}[{','.join(map(_argument_text, arguments))}]"
        case s.RemoteLabel(process=process, number=number, label=label):
            return f"({process}{_index_text(number)}._p=={label})"
        case s.RemoteVariable(process=process, number=number, name=name, index=index, parts=parts):
            return f"{process}{_index_text(number)}.{name}{_index_text(index)}{_parts_text(parts)}"
        case s.OfProcess(query=query, number=number):
            return f"{query}({expression_text(number)})"


def _listed(values: Sequence[s.Expr]) -> str:
    return ",".join(map(expression_text, values))


def _question(e: s.Receive | s.Poll) -> str:
    return "??" if e.anywhere else "?"


def _argument_text(argument: s.Argument) -> str:
    if argument.value is None:
        return "_"
    told = expression_text(argument.value)
    return f"eval({told})" if argument.matched and not isinstance(argument.value, s.Number) else told


def _index_text(index: s.Expr | None) -> str:
    return "" if index is None else f"[{expression_text(index)}]"


def _parts_text(parts: Sequence[s.Part]) -> str:
    return "".join(f".{part.name}{_index_text(part.index)}" for part in parts)
