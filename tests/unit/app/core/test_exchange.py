"""The line that sends a request again is plain for a shell and a terminal, whatever the request holds."""

import json
import shlex

from app.core.exchange import ExchangeSeen, curl_line

TRICKY = {"input": "a'; rm -rf ~; '\u202egpj.exe\u0007 \ud800 $HOME `id`\n", "n": [1.5, None]}


def test_a_copied_line_is_plain_and_sends_the_same() -> None:
    exchange = ExchangeSeen(
        turn=1,
        method="POST",
        url="http://127.0.0.1:9/v1/responses",
        request={},
        items=(),
        status=200,
        streamed=False,
        answer="0" * 64,
        answer_bytes=0,
        cut=False,
        headers_ms=1.0,
        pieces=(),
    )
    line = curl_line(exchange, TRICKY)
    assert line.isascii()
    assert line.isprintable()
    words = shlex.split(line)
    assert json.loads(words[words.index("--data-raw") + 1]) == TRICKY
    assert words[words.index("--data-raw") - 1] == "Authorization: Bearer $OPENAI_API_KEY"
