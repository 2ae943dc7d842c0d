"""From the text of a module to an object file. llvmlite is imported only when something must be compiled."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

# Guards cannot be foreseen, so what matters is mispredicted branches. Up to 8 instructions (LLVM's own limit is 4) may
# be computed in vain instead of branching; and a loop over the indices of a family is unrolled up to 1000 instructions,
# as the guards of one index are alike from state to state. Together the token ring's successors take half the time.
_OPTIONS = ("-two-entry-phi-node-folding-threshold=8", "-unroll-threshold=1000")


def prepare() -> Any:
    """LLVM, ready to compile."""
    import llvmlite.binding as llvm  # type: ignore[import-untyped]

    for option in _OPTIONS:
        llvm.set_option("asset", option)
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm


def object_code(text: str, quickly: bool = False) -> bytes:
    """The module, compiled for this processor, as a relocatable object. `quickly` is for large modules: instructions
    are then chosen one by one, after few passes, which takes a sixth of the time, and the code a tenth more."""
    llvm = prepare()
    triple = llvm.get_process_triple()
    machine = llvm.Target.from_triple(triple).create_target_machine(
        cpu=llvm.get_host_cpu_name(),
        features=llvm.get_host_cpu_features().flatten(),
        opt=0 if quickly else 2,
        reloc="pic",
        codemodel="small",
    )
    module = llvm.parse_assembly(text)
    module.triple = triple
    module.data_layout = str(machine.target_data)
    _optimise(llvm, module, machine, _QUICK_PASSES if quickly else _PASSES)
    return bytes(machine.emit_object(module))


# In this order. Measured against O2 on the token ring: successors take half of the time, and compiling two thirds: O2
# for the most part goes over code again that is already as good as it gets.
_PASSES = (
    "always_inliner",
    "sroa",
    "simplify_cfg",
    "jump_threading",
    "instruction_combine",
    "simplify_cfg",
    "loop_rotate",
    "loop_unroll",
    "instruction_combine",
    "simplify_cfg",
    "global_dead_code_eliminate",
)


# If instructions are chosen one by one, further passes gain little: they take half of the time, and without them the
# interlocking takes 7 % longer to explore, and five other models as long.
_QUICK_PASSES = ("always_inliner", "sroa", "simplify_cfg")


def _optimise(llvm: Any, module: Any, machine: Any, names: Sequence[str]) -> None:
    builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=2))
    passes = llvm.create_new_module_pass_manager()
    for name in names:
        getattr(passes, f"add_{name}_pass")()
    passes.run(module, builder)
