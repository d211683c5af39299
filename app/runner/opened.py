"""A run with everything opened for it: what each engine ties its own parts from."""

from dataclasses import dataclass

from openai import AsyncOpenAI

from app.core.live import LatestFrame
from app.core.plan import RunPlan
from app.core.ports import Journal
from app.gate.gate import Gate
from app.runner.holding import Holding
from app.runner.leaving import Leaving
from app.runner.received import Received
from app.runner.session_ports import Environment, SessionPorts
from app.runner.specs import ToolSpec
from app.runner.stopping import Stopping


@dataclass(frozen=True)
class Opened:
    """The same for every engine; whoever opened it closes it."""

    plan: RunPlan
    ports: SessionPorts
    journal: Journal
    gate: Gate
    frames: LatestFrame
    stopping: Stopping
    environment: Environment
    client: AsyncOpenAI
    functions: tuple[ToolSpec, ...]
    """Of the environment and of the run file, loaded."""
    received: Received
    holding: Holding
    leaving: Leaving
