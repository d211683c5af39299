"""The table ``[computer]`` of a run file: on which screen the computer tool acts, and what of it is asked."""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from app.core.remote_plan import RemoteDesktopPlan
from app.core.value import Frozen

Pixels = Annotated[int, Field(ge=200, le=8000)]


DESKTOP_SIZE = (1280, 800)


class ComputerPlan(Frozen):
    """The computer tool, acting on the run's browser page, a desktop made for it, the operator's or one elsewhere."""

    target: Literal["browser", "virtual", "desktop", "remote"] = "browser"
    ask_screenshots: bool = False
    """Ask before the picture that ends each computer call, too."""
    screen: tuple[Pixels, Pixels] = DESKTOP_SIZE
    """Of a virtual desktop, in pixels."""
    program: tuple[str, ...] = ()
    """Started on a virtual desktop before the run begins: the command and its arguments."""
    window: Annotated[str, Field(min_length=1)] | None = None
    """Of a desktop, only the window whose title or program holds these words."""
    picture_at_most: tuple[Pixels, Pixels] | None = None
    """Pictures of a desktop are scaled down to fit; points are mapped back exactly."""
    remote: RemoteDesktopPlan | None = None
    """Which desktop elsewhere is meant."""

    @property
    def on_desktop(self) -> bool:
        """Whether it acts on a desktop and not on the browser's page."""
        return self.target != "browser"

    @model_validator(mode="after")
    def _fits_its_target(self) -> "ComputerPlan":
        # By value and not by what was named: a plan that comes back from a record names everything.
        if self.target != "virtual" and (self.program or self.screen != DESKTOP_SIZE):
            raise ValueError(f'{"program" if self.program else "screen"} goes with target = "virtual"')
        if not self.on_desktop and (self.window or self.picture_at_most):
            raise ValueError(f"{'window' if self.window else 'picture_at_most'} goes with a desktop as target")
        if (self.target == "remote") != (self.remote is not None):
            raise ValueError('target = "remote" goes with a table remote that says which desktop')
        if self.target == "remote" and self.window:
            raise ValueError("window: a desktop elsewhere does not tell of its windows")
        return self
