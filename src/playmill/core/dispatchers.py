"""Two dispatchers for each kernel: one that Python calls, one that other kernels call.

Numba makes machine code of every function together with all that it calls, and a wrapper for Python, and then does so again for
each caller: the innermost kernels of Diplomacy's search went through that a dozen times. But a caller uses neither, only the
optimised LLVM module. So kernels that others call stop there, and machine code is made for what Python calls. That takes a
quarter off the time to compile.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, compile_result
from numba.core.compiler_machinery import register_pass
from numba.core.dispatcher import Dispatcher
from numba.core.environment import lookup_environment
from numba.core.registry import CPUDispatcher
from numba.core.typed_passes import NativeLowering

from playmill.core.kernel_cache import KernelCache, KernelFormat

ENVIRONMENT = "_ZN08NumbaEnv"  # how the names begin under which code finds Python's objects, for instance to print


class Kernel(CPUDispatcher):
    """The dispatcher that Python calls."""

    # The arguments in this order are Numba's, which also makes one anew by them.
    def __init__(self, py_func: Callable[..., Any], local_types: Any = None, options: Any = None) -> None:
        super().__init__(py_func, local_types, options, OuterCompiler)
        if has_file(py_func):
            self._cache = KernelCache(self, KernelFormat)

    @functools.cached_property
    def inner(self) -> Any:
        """The InnerKernel that other kernels call."""
        return InnerKernel(self.py_func, self.locals, self.targetoptions)

    @property
    def _numba_type_(self) -> Any:
        calls_itself = bool(self.is_compiling)
        own: Any = self if calls_itself else self.inner
        return own._type


class InnerKernel(CPUDispatcher):
    """The dispatcher that other kernels call: it stops at the LLVM module that they link."""

    def __init__(self, py_func: Callable[..., Any], local_types: Any, options: dict[str, Any]) -> None:
        # The option also tells its fingerprint from that of what Python calls.
        super().__init__(py_func, local_types, {**options, "no_cpython_wrapper": True}, InnerCompiler)
        if has_file(py_func):
            self._cache = KernelCache(self, InnerFormat)

    def add_overload(self, cres: Any) -> None:
        """Note what was compiled, but not for calls from Python."""
        self.overloads[tuple(cres.signature.args)] = cres


def has_file(function: Callable[..., Any]) -> bool:
    """Whether it comes from a file: what is typed into a notebook is compiled for this process only."""
    return Path(inspect.getfile(function)).exists()


def is_compiled(kernel: Dispatcher) -> bool:
    """Whether the kernel has been compiled for any types, for Python or for another kernel; it may be Numba's own kind."""
    # Asked from any thread: only a compilation makes `inner`.
    inner = vars(kernel).get("inner")
    return bool(kernel.overloads) or (inner is not None and bool(inner.overloads))


# ------------------------------------------------------------------ compiling


class OuterCompiler(Compiler):
    """Numba's compiler, for code that has inner kernels in it."""

    def _compile_core(self) -> Any:
        result = super()._compile_core()
        for name in [value.name for value in result.library._final_module.global_variables]:
            environment = lookup_environment(name) if name.startswith(ENVIRONMENT) else None
            if environment is not None:
                result.codegen.set_env(name, environment)
        return result


class InnerCompiler(Compiler):
    """Numba's compiler without machine code."""

    def define_pipelines(self) -> list[Any]:
        self.state.flags.no_compile = True
        [steps] = super().define_pipelines()
        steps.passes = [(InnerLowering if step is NativeLowering else step, why) for step, why in steps.passes]
        steps.finalize()
        return [steps]


@register_pass(mutates_CFG=True, analysis_only=False)
class InnerLowering(NativeLowering):
    """Lowers into an InnerLibrary."""

    _name = "inner_lowering"

    def run_pass(self, state: Any) -> bool:
        state.library = InnerLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        super().run_pass(state)
        lowered = state["cr"]._replace(cfunc=object())  # what a caller finds it by
        state.targetctx.insert_user_function(lowered.cfunc, lowered.fndesc, [state.library])
        state["cr"] = lowered
        return True


class InnerLibrary(JITCodeLibrary):
    """An optimised LLVM module with the code of a kernel and of all that it calls."""

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True

    def serialize_using_object_code(self) -> tuple[str, str, bytes]:
        return self.name, "bitcode", self._get_module_for_linking().as_bitcode()

    def load(self, bitcode: bytes) -> InnerLibrary:
        """Take the module from there; return the library."""
        self._final_module = self._shared_module = llvm.parse_bitcode(bitcode)
        self._finalize_final_module()
        return self


class InnerFormat(KernelFormat):
    """An inner kernel as bytes."""

    def rebuild(self, target_context: Any, payload: Any) -> Any:
        """As Numba would, but for the machine code."""
        (name, _, bitcode), fndesc, environment, signature, _, _, _, on_load, environments = payload
        for function in on_load:
            function()
        return compile_result(
            typing_context=target_context.typing_context,
            target_context=target_context,
            entry_point=object(),
            signature=signature,
            objectmode=False,
            lifted=(),
            fndesc=fndesc,
            library=InnerLibrary(target_context.codegen(), name).load(bitcode),
            environment=environment,
            reload_init=on_load,
            referenced_envs=environments,
        )
