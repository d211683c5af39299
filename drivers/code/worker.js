// What runs inside the sandbox for exec_js, on Node alone: takes code from a pipe, runs it in one lasting global scope,
// says what came of it. The main thread evaluates by the inspector's protocol, which knows top-level await and names
// declared anew, and lists what code has declared; a second thread listens meanwhile, and ends code that never ends.
"use strict";

const { AsyncLocalStorage } = require("node:async_hooks");
const fs = require("node:fs");
const inspector = require("node:inspector");
const util = require("node:util");
const threads = require("node:worker_threads");

const FROM_CONSOLE = 3;
const TO_CONSOLE = 4;
const TO_STARTER = 5;
const FROM_STARTER = 6;
const SHORT_CHARS = 200;
const PIECE_CHARS = 200_000;
const LONGEST_ERROR_CHARS = 1_000_000;
const LONGEST_LINE = 15 * 1024 * 1024;
const WAITING_MS = 300;
// Places in the memory that both threads share.
const ANSWERS = 0;
const LOCK = 1;
const CALL = 2;
const LOOKING = -1;
const INTERRUPTED = "it was interrupted";

const shared = threads.isMainThread ? new Int32Array(new SharedArrayBuffer(16)) : threads.workerData.shared;

function send(message) {
  const line = Buffer.from(JSON.stringify(message) + "\n");
  if (line.length > LONGEST_LINE) {
    throw new RangeError(`more than ${LONGEST_LINE / 1024 / 1024} MB at once cannot be handed out of the sandbox`);
  }
  while (Atomics.compareExchange(shared, LOCK, 0, 1) !== 0) Atomics.wait(shared, LOCK, 1, 50);
  try {
    for (let at = 0; at < line.length; ) at += fs.writeSync(TO_CONSOLE, line, at);
  } finally {
    Atomics.store(shared, LOCK, 0);
    Atomics.notify(shared, LOCK);
  }
}

function sendText(text) {
  for (let at = 0; at < text.length; at += PIECE_CHARS) send({ text: text.slice(at, at + PIECE_CHARS) });
}

// ---- the main thread: what the code sees ----

const LOCATING = [
  ...["locator", "getByRole", "getByText", "getByLabel", "getByPlaceholder", "getByAltText", "getByTitle", "getByTestId"],
  ...["frameLocator", "first", "last", "nth", "filter", "and", "or", "contentFrame", "owner"],
];
// Methods that give back a value at once in Playwright's own interface; all others give back a promise.
const AT_ONCE = new Set([...LOCATING, "url", "viewportSize", "mainFrame", "name"]);
const PROPERTIES = new Set(["keyboard", "mouse"]);
// What stands in an object here is their own argument, no options.
const WITHOUT_OPTIONS = new Set(["evaluate"]);
const KINDS = new WeakMap();

function snake(name) {
  const words = name.replace(/([a-z0-9])([A-Z])/g, "$1_$2").toLowerCase();
  return words === "and" || words === "or" ? words + "_" : words;
}

function isPlain(value) {
  return typeof value === "object" && value !== null && [Object.prototype, null].includes(Object.getPrototypeOf(value));
}

function plain(value) {
  if (value === undefined) return null;
  if (KINDS.has(value)) return { $handle: KINDS.get(value).handle };
  if (typeof value === "function") return String(value);
  if (value instanceof RegExp) return { $pattern: [value.source, value.flags] };
  if (Array.isArray(value)) return value.map(plain);
  if (isPlain(value)) return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, plain(one)]));
  if (value === null || ["string", "number", "boolean"].includes(typeof value)) return value;
  throw new TypeError(`${util.inspect(value).slice(0, SHORT_CHARS)} cannot be handed out of the sandbox`);
}

function runHere() {
  const calls = new AsyncLocalStorage();
  const { port1: answers, port2 } = new threads.MessageChannel();
  const methods = new Set();
  let asked = 0;

  function round(handle, name, args, kwargs) {
    if (Atomics.load(shared, CALL) === 0 || calls.getStore() !== Atomics.load(shared, CALL)) {
      throw new Error("what lives outside may be used by the call in progress only");
    }
    asked += 1;
    send({ ask: asked, handle, name, args, kwargs });
    for (;;) {
      const seen = Atomics.load(shared, ANSWERS);
      const got = threads.receiveMessageOnPort(answers);
      if (got === undefined) {
        Atomics.wait(shared, ANSWERS, seen);
      } else if (got.message.answer === asked) {
        if ("error" in got.message) throw new Error(got.message.error);
        return got.message.said;
      }
    }
  }

  function valueOf(said) {
    if ("handle" in said) return remote(said.handle, said.kind);
    if ("bytes" in said) return Buffer.from(said.bytes, "base64");
    if ("list" in said) return said.list.map(valueOf);
    return said.value;
  }

  function call(handle, kind, name, given) {
    const [args, member] = [[...given], snake(name)];
    while (args.length && args.at(-1) === undefined) args.pop();
    const hasOptions = isPlain(args.at(-1)) && !KINDS.has(args.at(-1)) && !WITHOUT_OPTIONS.has(name);
    const options = Object.entries(hasOptions ? args.pop() : {}).filter(([, value]) => value !== undefined);
    const kwargs = Object.fromEntries(options.map(([key, value]) => [snake(key), plain(value)]));
    if (!methods.has(`${kind}.${member}`)) {
      const said = round(handle, member, null, null);
      // What is a method here may be a property there.
      if (said.method !== true) return valueOf(said);
      methods.add(`${kind}.${member}`);
    }
    return valueOf(round(handle, member, args.map(plain), kwargs));
  }

  function remote(handle, kind) {
    const made = new Proxy({ [util.inspect.custom]: () => `<${kind}>` }, {
      get(target, name) {
        if (typeof name !== "string") return target[name];
        if (["then", "toJSON", "constructor"].includes(name) || name.startsWith("_")) return undefined;
        if (PROPERTIES.has(name)) return valueOf(round(handle, name, null, null));
        if (AT_ONCE.has(name)) return (...args) => call(handle, kind, name, args);
        return async (...args) => call(handle, kind, name, args);
      },
      set() {
        throw new TypeError("what lives outside cannot be changed");
      },
    });
    KINDS.set(made, { handle, kind });
    return made;
  }

  const say = (...values) => sendText(util.format(...values) + "\n");
  const hide = (name, value) => Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  for (const name of ["log", "info", "warn", "error", "debug"]) console[name] = say;
  hide("log", say);
  hide("require", require);
  hide("display", (image) => {
    const isBytes = image instanceof Uint8Array;
    if (!isBytes && typeof image !== "string") throw new TypeError("display takes the bytes of a PNG or JPEG file");
    send({ image: isBytes ? Buffer.from(image).toString("base64") : image.replace(/^data:[^,]*,/, "") });
  });
  process.exit = (code) => {
    throw new Error(`process.exit(${code ?? 0})`);
  };
  process.on("uncaughtException", (error) => say("%s", tidy(error?.stack ?? String(error))));
  process.on("unhandledRejection", (error) => say("%s", tidy(error?.stack ?? String(error))));
  for (const stream of [process.stdout, process.stderr]) {
    stream.write = (text) => (sendText(String(text)), true);
  }
  const before = new Set(Object.getOwnPropertyNames(globalThis));
  const newNames = () =>
    Object.getOwnPropertyNames(globalThis).filter((name) => !before.has(name) && name !== "__signalbox");
  hide("__signalbox", {
    begin: (number) => calls.enterWith(number),
    shown: (readers) =>
      Object.entries(readers).map(([name, read]) => {
        try {
          const value = read();
          const kind = KINDS.get(value)?.kind ?? (value === null ? "null" : value?.constructor?.name) ?? typeof value;
          const words = util.inspect(value, { depth: 1, maxArrayLength: 20, maxStringLength: SHORT_CHARS });
          return [name, String(kind), words].map((one) => one.slice(0, SHORT_CHARS));
        } catch {
          return [name, "", "(cannot be shown)"];
        }
      }),
  });
  const session = new inspector.Session();
  session.connect();
  const post = (method, params) =>
    new Promise((resolve) => session.post(method, params, (error, said) => resolve(error ? { error } : said)));
  const evaluate = (expression, more) => post("Runtime.evaluate", { expression, replMode: true, ...more });
  const valueOfShown = async (expression) =>
    (await evaluate(expression, { returnByValue: true })).result?.value ?? [];
  let interrupt = () => {};

  async function run(number, code) {
    const interrupted = new Promise((resolve) => {
      interrupt = () => resolve({ error: { message: INTERRUPTED } });
    });
    Atomics.store(shared, CALL, number);
    const expression = `${beginning(number)}${code}\n//# sourceURL=code-${number}`;
    const said = await Promise.race([evaluate(expression, { awaitPromise: true, silent: true }), interrupted]);
    Atomics.store(shared, CALL, 0);
    const raised = said.exceptionDetails?.exception;
    const words = said.error?.message ?? (raised && (raised.description ?? JSON.stringify(raised.value) ?? raised.type));
    const short = words?.slice(0, LONGEST_ERROR_CHARS);
    send({ done: number, error: short === undefined ? null : /terminated/.test(short) ? INTERRUPTED : tidy(short) });
  }

  async function variables() {
    const declared = (await post("Runtime.globalLexicalScopeNames", {})).names ?? [];
    const names = [...new Set([...declared, ...newNames()])].sort();
    const words = names.filter((name) => /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name));
    const readers = words.map((name) => `${name}: () => ${name}`);
    Atomics.store(shared, CALL, LOOKING);
    const shown = await valueOfShown(`__signalbox.shown({${readers.join(", ")}})`);
    Atomics.store(shared, CALL, 0);
    send({ variables: shown });
  }

  void post("Runtime.enable");
  const commands = new threads.MessageChannel();
  commands.port1.on("message", (message) => {
    // No promise leads from one to the next: code that is ended takes all waiting steps of promises with it.
    if ("interrupt" in message) {
      interrupt();
    } else if ("run" in message) {
      void run(message.run, message.code);
    } else if ("variables" in message) {
      void variables();
    } else {
      for (const [name, kind] of Object.entries(message.objects)) globalThis[name] = remote(message.handles[name], kind);
    }
  });
  const ports = { answers: port2, commands: commands.port2 };
  const options = { workerData: { shared, ...ports }, transferList: Object.values(ports) };
  new threads.Worker(__filename, options).on("error", () => process.kill(process.pid, "SIGKILL"));
}

function beginning(number) {
  return `__signalbox.begin(${number});`;
}

// Of where an error was, only places in the code are told, as its author counts them.
function tidy(stack) {
  const lines = stack.split("\n").filter((line, at) => at === 0 || !/^\s+at /.test(line) || /code-\d+/.test(line));
  const place = (_, number, column) => `code-${number}:1:${Math.max(1, column - beginning(number).length)}`;
  return lines.join("\n").replace(/code-(\d+):1:(\d+)/g, place);
}

// ---- the second thread: listens, and interrupts ----

function listenHere() {
  const { answers, commands } = threads.workerData;
  const session = new inspector.Session();
  session.connectToMainThread();

  function interrupt(number) {
    if (number === 0) return;
    // What only waits, for a timer or a promise, is waited for no longer. What loops hears nothing, and is ended.
    commands.postMessage({ interrupt: true });
    setTimeout(() => {
      if (Atomics.load(shared, CALL) === number) session.post("Runtime.terminateExecution");
    }, WAITING_MS);
  }

  function take(message) {
    if ("answer" in message) {
      answers.postMessage(message);
      Atomics.add(shared, ANSWERS, 1);
      Atomics.notify(shared, ANSWERS);
    } else if ("interrupt" in message) {
      interrupt(Atomics.load(shared, CALL));
    } else {
      commands.postMessage(message);
    }
  }

  let rest = "";
  fs.createReadStream(null, { fd: FROM_CONSOLE, encoding: "utf8", autoClose: false })
    .on("data", (text) => {
      const lines = (rest + text).split("\n");
      rest = lines.pop();
      for (const line of lines) take(JSON.parse(line));
    })
    .on("end", () => process.kill(process.pid, "SIGKILL"));
  // The starter bounds the memory now that it can see how much of it Node has reserved for itself.
  fs.writeSync(TO_STARTER, "x");
  fs.readSync(FROM_STARTER, Buffer.alloc(1));
  send({ ready: true });
}

(threads.isMainThread ? runHere : listenHere)();
