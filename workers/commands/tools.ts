import { type ChildProcess, spawn } from "node:child_process";
import { createWriteStream, mkdirSync } from "node:fs";
import { delimiter, dirname, join, resolve } from "node:path";

/** The project's root. */
export const ROOT = resolve(import.meta.dirname, "../..");

/** A tool's exit code and output. */
export type ToolResult = { code: number; output: string };

/** The environment of every tool: no telemetry, no prompts, the project's own programs first. */
export function toolEnvironment(extra: Record<string, string | undefined> = {}): NodeJS.ProcessEnv {
  return {
    ...process.env,
    PATH: `${join(ROOT, "node_modules/.bin")}${delimiter}${process.env.PATH ?? ""}`,
    WRANGLER_SEND_METRICS: "false",
    DO_NOT_TRACK: "1",
    NO_UPDATE_NOTIFIER: "1",
    ...extra,
  };
}

/**
 * Runs a tool until it exits. With `echo`, its output goes to this terminal and `output` stays empty. Otherwise the
 * output is collected. A tool that cannot be started returns code 127 and the reason.
 */
export function runTool(
  name: string,
  args: readonly string[],
  options: { env?: Record<string, string | undefined>; echo?: boolean; input?: string } = {},
): Promise<ToolResult> {
  return new Promise((settle) => {
    const child = spawn(name, args, {
      cwd: ROOT,
      env: toolEnvironment(options.env),
      stdio: [options.input === undefined ? "ignore" : "pipe", ...outputs(options.echo)],
    });
    // This process may be stopped in the middle of a build.
    const end = () => child.kill();
    process.once("exit", end);
    child.once("close", () => process.off("exit", end));
    let output = "";
    const collect = (chunk: Buffer) => {
      output += chunk.toString();
    };
    child.stdout?.on("data", collect);
    child.stderr?.on("data", collect);
    child.stdin?.end(options.input);
    child.once("error", (cause) =>
      settle({ code: 127, output: `${name} could not be started: ${cause.message}` }),
    );
    child.once("close", (code) => settle({ code: code ?? 1, output }));
  });
}

function outputs(echo: boolean | undefined): ["inherit", "inherit"] | ["pipe", "pipe"] {
  return echo ? ["inherit", "inherit"] : ["pipe", "pipe"];
}

/** A program that runs, with its child processes, until it is stopped. */
export type Service = {
  /** Resolves with the exit code when the program itself exits. */
  ended: Promise<number>;
  /** The last lines of output, for an error message. */
  lastWords(): string;
  stdout: NonNullable<ChildProcess["stdout"]>;
  stderr: NonNullable<ChildProcess["stderr"]>;
  /** Ends the program and its children: SIGTERM first, SIGKILL after eight seconds. */
  stop(): Promise<void>;
};

const KEEPER = join(import.meta.dirname, "keeper.ts");

/**
 * Starts a program in its own process group, so that stopping it reaches its children, and Ctrl-C in the terminal
 * reaches only us. It ends with this process, even when this process is killed. Its output goes to `logFile`.
 */
export function startService(
  name: string,
  args: readonly string[],
  options: {
    env?: Record<string, string | undefined>;
    logFile: string;
    /** True when stdout is data for us, so that `lastWords` only returns stderr. */
    printsData?: boolean;
  },
): Service {
  mkdirSync(dirname(options.logFile), { recursive: true });
  const log = createWriteStream(options.logFile);
  const child = spawn("node", [KEEPER, name, ...args], {
    cwd: ROOT,
    env: toolEnvironment(options.env),
    detached: true,
    // stdin stays open for as long as this process lives; the keeper watches it.
    stdio: ["pipe", "pipe", "pipe"],
  });
  let tail = "";
  const note = (chunk: Buffer) => {
    tail = (tail + chunk.toString()).slice(-4_000);
  };
  for (const output of [child.stdout, child.stderr]) output.on("data", (chunk: Buffer) => log.write(chunk));
  if (!options.printsData) child.stdout.on("data", note);
  child.stderr.on("data", note);
  const ended = new Promise<number>((settle) => {
    child.once("error", (cause) => {
      tail += cause.message;
      settle(127);
    });
    child.once("close", (code) => settle(code ?? 1));
  });
  return {
    ended,
    lastWords: () => tail.trim().split("\n").slice(-12).join("\n"),
    stdout: child.stdout,
    stderr: child.stderr,
    stop: () => stopGroup(child.pid),
  };
}

const STOP_PATIENCE_MS = 8_000;

async function stopGroup(leader: number | undefined): Promise<void> {
  if (leader === undefined || !signalGroup(leader, "SIGTERM")) return;
  const deadline = Date.now() + STOP_PATIENCE_MS;
  while (Date.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    if (!signalGroup(leader, 0)) return;
  }
  signalGroup(leader, "SIGKILL");
}

/** Sends a signal to every process of the group. Returns false when the group is empty. */
function signalGroup(leader: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-leader, signal);
    return true;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ESRCH") return false;
    throw cause;
  }
}
