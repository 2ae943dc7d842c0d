"""The same model in Python, as processes: what `asset translate model.pml` writes, for people who move over.

A statement is a step, so that the code of a process has a `yield` behind each of them; an atomic sequence has one only
where it is interrupted if it cannot go on. Variables of processes are attributes of the model: SPIN keeps their values
when they are not needed any more, and local variables of Python are forgotten then.
"""

from asset.frontends.promela.in_python.module import python_processes
from asset.frontends.promela.in_python.names import Unsaid

__all__ = ["Unsaid", "python_processes"]
