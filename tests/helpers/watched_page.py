"""A page that tells what reaches it: each event of mouse, wheel and keys, in its order, and what its field holds."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.helpers.heard import Heard

GREEN = (0, 160, 0)
FIELD = (200, 130)
BARE = (700, 500)
SEND = (200, 350)

PAGE = """<!doctype html><meta charset=utf-8><title>watched</title>
<body style="margin:0;background:rgb(0,160,0);height:4000px">
<textarea id=field style="position:fixed;left:100px;top:100px;width:600px;height:60px;font-size:20px"></textarea>
<button id=send style="position:fixed;left:100px;top:300px;width:300px;height:100px">Send</button>
<script>
let queue = Promise.resolve(), number = 0;
// A connection can fail; told again until it is heard, or one failure would silence the page for good.
const post = body => fetch("/told", {method: "POST", body}).catch(() => post(body));
const tell = (kind, more) => {
  const body = JSON.stringify({kind, number: ++number, ...more});
  queue = queue.then(() => post(body));
};
const held = e => [e.ctrlKey && "ctrl", e.shiftKey && "shift", e.altKey && "alt", e.metaKey && "meta"].filter(Boolean);
addEventListener("pointermove", e => e.getCoalescedEvents().forEach(
  one => tell("move", {x: one.clientX, y: one.clientY, buttons: one.buttons, held: held(e)})));
for (const kind of ["mousedown", "mouseup", "dblclick", "contextmenu", "wheel"])
  addEventListener(kind, e => {
    tell(kind, {x: e.clientX, y: e.clientY, button: e.button, buttons: e.buttons, held: held(e),
                dx: Math.sign(e.deltaX || 0), dy: Math.sign(e.deltaY || 0)});
    if (kind === "contextmenu" || (kind === "mousedown" && e.button !== 0)) e.preventDefault();
  }, {passive: false});
addEventListener("keydown", e => tell("keydown", {key: e.key, held: held(e)}));
addEventListener("scroll", () => tell("scroll", {top: scrollY}));
field.addEventListener("input", () => tell("input", {value: field.value}));
send.addEventListener("click", () => tell("sent", {value: field.value}));
for (const kind of ["load", "resize"])
  addEventListener(kind, () => tell("size", {width: innerWidth, height: innerHeight}));
</script>"""


class WatchedPage(Heard):
    """Serves the page on loopback and keeps what it tells; use it as a context manager."""

    def __init__(self) -> None:
        super().__init__()
        page = self

        class Handler(BaseHTTPRequestHandler):
            # A browser opens connections in reserve and asks nothing over them: each would keep a thread for minutes.
            timeout = 10.0

            def do_GET(self) -> None:
                self._answer(PAGE.encode(), "text/html; charset=utf-8")

            def do_POST(self) -> None:
                said = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                page.hear(said)
                self._answer(b"", "text/plain")

            def _answer(self, body: bytes, kind: str) -> None:
                self.send_response(200)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *args: Any) -> None: ...

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, name="watched page")
        self.url = f"http://127.0.0.1:{self._server.server_port}/"

    def __enter__(self) -> "WatchedPage":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
