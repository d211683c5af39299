"""What each section and each key of a run file means, in one sentence; a key that has none here is shown without."""

TITLES = {
    "": "Task and model",
    "browser": "Browser",
    "computer": "Computer tool",
    "functions": "Functions",
    "function_servers": "Local MCP servers",
    "mcp": "MCP servers",
    "server_tools": "Tools of the service",
    "rules": "Rules",
    "asking": "Asking",
    "streaming": "Streaming, early calls",
    "context_budget": "Context budget",
    "request": "Request fields",
    "client": "Client",
    "decisions": "Decisions",
    "limits": "Limits",
    "breakpoints": "Breakpoints",
    "code": "Code",
    "grants": "File grants",
}

FIRST = (
    "browser",
    "computer",
    "functions",
    "function_servers",
    "mcp",
    "server_tools",
    "rules",
    "breakpoints",
    "asking",
)
"""Sections in the order in which a run is thought of; all others come after them, as the run file has them."""

LEADS = {
    "browser": "The page that the model sees and acts on. Without it the run has no browser.",
    "computer": "The computer tool, on the same page: places on the screen instead of page elements.",
    "functions": "Python of your own that the model may call. Each call is asked.",
    "function_servers": "MCP servers that the console starts on this machine. Their tools are functions; each call is "
    "asked, and they run with your rights.",
    "mcp": "Servers whose tools the service calls. What needs an approval is asked here.",
    "server_tools": "Tools that the service runs by itself, as it declares them. What they do there is not asked.",
    "rules": "Answers given in advance, tried in order; what none answers is put to you.",
    "streaming": "How answers come, and whether a call may run before its answer is complete. What ran early cannot be "
    "taken back when the rest of the answer fails; with a tool of the service or a server nothing runs early.",
    "context_budget": "Over a limit the oldest calls are left out of the request, and the model is told which. The "
    "record keeps all of them.",
    "request": "Sent with each request, under the service's own names. What is left empty is not sent.",
    "client": "Key and address come from the environment, never from a run file.",
    "decisions": 'Only with engine = "decisions": the model chooses among candidates.',
}

HELP = {
    "task": "What the run is to do, as the model is told it.",
    "model": "Empty: OPENAI_MODEL.",
    "instructions": "What the model must know beside the task.",
    "max_steps": "Requests to the model; fixed for the life of the run, whatever happens.",
    "store": "Let the service keep the answers. Image generation needs it.",
    "engine": "responses: the model calls tools. decisions: it chooses among candidates.",
    "browser.start_url": "The page that the run begins on.",
    "browser.members": "Exactly these members of the SDK's browser toolset. Not together with additional_members.",
    "browser.additional_members": "Members beside those that the SDK offers by itself.",
    "browser.confirm_reads": "Reads that are asked, too.",
    "browser.headless": "No window of its own: the page is seen in the console only.",
    "browser.viewport": "Width and height of the page in CSS pixels.",
    "browser.device_scale": "Picture pixels for one CSS pixel.",
    "browser.executable_path": "Empty: the browser that the doctor finds.",
    "browser.allow_origins": "Empty: any site. Else exactly these origins, at every hop.",
    "browser.allow_private_network": "Whether this machine and private networks may be reached.",
    "browser.sandbox": "Not said: on. As root on Linux it must be given up in so many words.",
    "computer.ask_screenshots": "Ask before the picture that ends each computer call, too.",
    "functions[].name": "As the model calls it.",
    "functions[].import": "package.module:name of an async function with a tool attribute.",
    "functions[].allow_output_override": "You may answer a call in the function's place.",
    "functions[].independent": "Shares nothing with other functions. In a run on record each call has its turn anyway.",
    "function_servers[].name": "Stands before the name of each function: files and read make files_read.",
    "function_servers[].command": "The program and its arguments, one a line.",
    "function_servers[].folder": "Where it is started. Empty: the console's own folder.",
    "function_servers[].env": 'Added to the few variables that it inherits, never recorded: { NAME = "value" }.',
    "function_servers[].tools": "Exactly these of its tools. Empty: all.",
    "function_servers[].start_secs": "How long it may take to answer its first question.",
    "mcp[].server_label": "Its name in this run.",
    "mcp[].server_url": "Exactly one of server_url, connector_id, tunnel_id.",
    "mcp[].require_approval": "always, never, or a table: { always = { tool_names = [...] }, never = {} }.",
    "mcp[].allowed_tools": "A list of names, or a table: { tool_names = [...], read_only = true }.",
    "mcp[].headers": 'Sent to the server, never recorded: { name = "value" }.',
    "mcp[].authorization": "Sent to the server, never recorded.",
    "server_tools[].tool": '{ type = "web_search" }, { type = "file_search", vector_store_ids = [...] }, '
    '{ type = "code_interpreter", container = { type = "auto" } }, { type = "image_generation" }',
    "streaming.stream": "Receive answers as they are written.",
    "streaming.eager": "Run a call as soon as it is written, before its answer is complete.",
    "streaming.max_concurrent_calls": "For independent functions. In a run on record each call has its turn anyway.",
    "streaming.early_execution": "Which calls may run early; without it, each that can.",
    "streaming.early_execution.functions": "Names as the model calls them: your functions, or browser_ and a member.",
    "streaming.before_early_call": "Ask for each whether it may run now; denied, it waits and is asked then.",
    "context_budget.max_input_bytes": "Bytes of one request's input.",
    "context_budget.max_input_images": "Pictures in one request.",
    "context_budget.keep_recent_screenshots": "The newest ones are never left out.",
    "request.tool_choice": 'A word, or a table: { type = "allowed_tools", mode = "auto", tools = [...] }.',
    "request.reasoning": '{ effort = "low", summary = "auto" }',
    "request.text": '{ verbosity = "low" }',
    "request.context_management": "The service shortens the conversation itself. Not together with a context budget.",
    "request.metadata": '{ desk = "three" }',
    "client.default_headers": "Sent with each request, never recorded.",
    "client.default_query": "Sent with each request, never recorded.",
    "client.max_retries": "Of a decisions run only: a run on the Responses API repeats no request.",
    "rules[].verdict": "What the rule answers where it fits.",
    "rules[].text": "The rule in your words; on record with each of its decisions.",
    "rules[].kinds": "Empty: any kind of question.",
    "rules[].sources": "Empty: any source.",
    "rules[].members": "Members, action types, function or tool names. Empty: any.",
    "rules[].origins": "Exact origins of the address asked for, else of the page acted on.",
    "rules[].arguments": 'Arguments that must be equal: { text = "Ada" }.',
    "rules[].irreversible": "With hold: allowing it takes a tick first, and never counts for the run.",
    "asking.together": "Questions about one action come on one card.",
    "asking.expire_secs": "Denied after so many seconds without an answer. Empty: it waits.",
    "decisions.page": "Offer every visible control of the page.",
    "decisions.texts": "What may be typed, by the label of the field.",
    "decisions.candidates": "Your own candidates.",
    "decisions.import": "package.module:name of an async function that returns the whole list of candidates.",
    "decisions.observe": "package.module:name of an async function that returns the observation.",
    "decisions.done": "The description of the candidate that ends the run.",
    "decisions.verify": "What must hold at the end, on a fresh look.",
    "limits.drain_secs": "After a stop, how long an action in progress may take.",
    "limits.request_timeout_secs": "How long one request may take.",
}


def help_for(path: str) -> str:
    """The sentence for a key (``rules[].verdict``); empty where there is none."""
    return HELP.get(path, "")


def title_for(section: str) -> str:
    """The section's name on the screen."""
    return TITLES.get(section, section.replace("_", " ").capitalize())
