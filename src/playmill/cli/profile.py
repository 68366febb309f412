"""`playmill profile`: a flame graph of any command, kernels by name; traces of a configuration's training and inference."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Annotated

import typer

from playmill.cli.options import Force
from playmill.core.errors import PlaymillError, UsageError
from playmill.core.extras import require_extra

SAYS = "py-spy>"
MANY = 5  # complaints of py-spy
FORMATS = {".svg": "flamegraph", ".json": "speedscope", ".txt": "raw"}


def register(app: typer.Typer) -> None:
    app.command(context_settings={"allow_interspersed_args": False})(profile)


def profile(
    words: Annotated[
        list[str],
        typer.Argument(help="A playmill command with its options, such as selfplay CONFIG --out FOLDER.", metavar="WORDS"),
    ],
    out: Annotated[Path, typer.Option(help="The flame graph: .svg, .json (speedscope) or .txt (stacks and counts).")] = Path(
        "profile.svg"
    ),
    rate: Annotated[int, typer.Option(help="Samples a second.", min=1, max=1000)] = 100,
    seconds: Annotated[
        int | None, typer.Option(help="At most so long; the command is ended then. [default: to its end]", min=1)
    ] = None,
    native: Annotated[bool, typer.Option("--native", help="Show C and C++ as well: ONNX Runtime, torch, NumPy.")] = False,
    idle: Annotated[bool, typer.Option("--idle", help="Count threads that wait, too.")] = False,
    torch: Annotated[
        Path | None, typer.Option(help="Instead: a folder for Chrome traces of training and inference; WORDS is a CONFIG.")
    ] = None,
    steps: Annotated[int, typer.Option(help="--torch: training steps, and batches of inference.", min=1, max=1000)] = 10,
    force: Force = False,
) -> None:
    """Run a command under a profiler, and write what it spent its time on."""
    if torch is not None:
        _trace(words, torch, steps, force)
    else:
        _record(words, out, rate, seconds, native, idle, force)


# ------------------------------------------------------------------ the flame graph


def _record(words: list[str], out: Path, rate: int, seconds: int | None, native: bool, idle: bool, force: bool) -> None:
    from playmill.core.files import claim_output, temporary_folder
    from playmill.core.named_kernels import VARIABLE

    if out.suffix not in FORMATS:
        raise UsageError(f"--out: expected a name that ends in {', '.join(FORMATS)}, got {out}")
    program = find_profiler()
    claim_output(out, force)
    partial = out.with_name(f".{out.name}.tmp")
    options = ["--format", FORMATS[out.suffix], "--rate", str(rate), "--output", str(partial), "--nonblocking"]
    options += [] if seconds is None else ["--duration", str(seconds)]
    options += [*(["--native"] if native else []), *(["--idle"] if idle else []), "--subprocesses", "--threads"]
    if native:
        options.remove("--nonblocking")  # native stacks can only be read while the program stands still
    with temporary_folder("playmill-profile-") as folder:
        code = folder / "code"
        command = [program, "record", *options, "--", sys.executable, "-m", "playmill.cli.profiled", str(code), *words]
        ended, said = _run(command, {**os.environ, VARIABLE: "1"})
        _finish(ended, int(code.read_text()) if code.exists() else 0, said, partial, out)


def _run(command: list[str], environment: dict[str, str]) -> tuple[int, list[str]]:
    """Run py-spy with the command under it; what the command prints goes on, what py-spy says comes back with its exit code."""
    said: list[str] = []
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if line.startswith(SAYS) or not line.strip():
                said.append(line.removeprefix(SAYS).strip())
            else:
                typer.echo(line, nl=False, err=line.startswith("playmill: "))
    return process.returncode, said


def find_profiler() -> str:
    """py-spy, beside this Python or wherever it is."""
    from playmill.core.extras import find_program

    found = find_program("py-spy")
    if found is None:
        raise UsageError("profile needs py-spy, which is not installed; pip install -c constraints.txt 'playmill[profile]'")
    return found


def _finish(ended: int, code: int, said: list[str], partial: Path, out: Path) -> None:
    """Give the file its name, or say in a line why there is none; a command that failed is no success here either."""
    if ended == -signal.SIGINT:
        raise KeyboardInterrupt
    if code == UsageError.exit_code:  # it has said why; nothing was run that could be looked at
        partial.unlink(missing_ok=True)
        raise typer.Exit(code)
    if not partial.exists() or not partial.stat().st_size:
        partial.unlink(missing_ok=True)
        raise PlaymillError(f"profile: {_reason(said)}")
    os.replace(partial, out)
    if sum("behind in sampling" in line for line in said) > MANY:
        typer.echo("playmill: profile: the machine was too busy for so many samples; a lower --rate is more exact", err=True)
    typer.echo(f"{out}: {out.stat().st_size / 1024:.0f} KiB")
    if code:
        raise typer.Exit(code)


def _reason(lines: list[str]) -> str:
    """py-spy's own words; a refusal to look at other processes has a way out."""
    text = " ".join(lines)
    if "ermission" in text or "ptrace" in text:
        return "the system does not let py-spy look at processes; run as root, or `sysctl kernel.yama.ptrace_scope=0`"
    return next((line for line in reversed(lines) if line), "py-spy wrote nothing")[:200]


# ------------------------------------------------------------------ torch's own traces


def _trace(words: list[str], folder: Path, steps: int, force: bool) -> None:
    require_extra("nets", "profile --torch")
    from playmill.bench.traces import trace_inference, trace_training
    from playmill.core.files import claim_output
    from playmill.pipeline.checks import check_run

    if len(words) != 1:
        raise UsageError(f"profile --torch: expected one CONFIG, such as configs/connect_four.yaml, got '{' '.join(words)}'")
    settings, _, game = check_run(Path(words[0]))
    paths = [claim_output(folder / name, force) for name in ("training.json", "inference.json")]
    for path, trace in zip(paths, (trace_training, trace_inference), strict=True):
        for line in trace(settings, game, path, steps):
            typer.echo(line)
        typer.echo(f"{path}: {path.stat().st_size / 1024:.0f} KiB; open it in chrome://tracing or ui.perfetto.dev")
