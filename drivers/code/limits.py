"""How much one code environment may take."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class CodeLimits:
    """Bounds of one environment; the first five hold for each call anew or for the process as a whole."""

    call_secs: float = 60.0
    """How long one piece of code may run before it is interrupted, and soon after that ended with its process."""
    memory_mb: int = 1024
    """Of each process inside: address space; for Node what it takes beyond what it reserves for itself."""
    total_mb: int = 2048
    """Memory of all processes inside together."""
    processes: int = 32
    """Processes and threads inside. The system does not count those of root."""
    output_chars: int = 20_000
    """Characters of text that one call gives back; the rest is left out, and that is said."""
    images: int = 8
    """Pictures that one call gives back."""
    file_mb: int = 64
    """The largest file inside, and all of its scratch folder."""
