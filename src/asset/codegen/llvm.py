"""From the text of a module to an object file. llvmlite is imported only when something must be compiled."""

from __future__ import annotations

from typing import Any

# How many instructions may be computed in vain instead of branching: guards cannot be foreseen, so a branch is often
# mispredicted, which costs more than these do. The token ring's successors take a third less time than with LLVM's 4.
_OPTIONS = ("-two-entry-phi-node-folding-threshold=8",)


def object_code(text: str) -> bytes:
    """The module, compiled for this processor, as a relocatable object."""
    import llvmlite.binding as llvm  # type: ignore[import-untyped]

    for option in _OPTIONS:
        llvm.set_option("asset", option)
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    triple = llvm.get_process_triple()
    machine = llvm.Target.from_triple(triple).create_target_machine(
        cpu=llvm.get_host_cpu_name(),
        features=llvm.get_host_cpu_features().flatten(),
        opt=2,
        reloc="pic",
        codemodel="small",
    )
    module = llvm.parse_assembly(text)
    module.triple = triple
    module.data_layout = str(machine.target_data)
    _optimise(llvm, module, machine)
    return bytes(machine.emit_object(module))


# In this order. Measured against O2 on the token ring: successors take two thirds of the time, as does compiling (O2
# for the most part goes over code again that is already as good as it gets). Only loops of few rounds are unrolled.
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


def _optimise(llvm: Any, module: Any, machine: Any) -> None:
    builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=2))
    passes = llvm.create_new_module_pass_manager()
    for name in _PASSES:
        getattr(passes, f"add_{name}_pass")()
    passes.run(module, builder)
