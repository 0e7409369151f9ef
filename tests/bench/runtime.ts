import { mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { formatVars, freshDevVars } from "#workers/commands/dev-vars.ts";
import { localWranglerEnv } from "#workers/commands/local-databases.ts";
import { ROOT, runTool, startService } from "#workers/commands/tools.ts";
import { type HeapWatch, watchHeap } from "./heap.ts";

const CONFIG = "tests/bench/wrangler.toml";
const START_PATIENCE_MS = 120_000;

/** The address by which the bench's Worker knows itself. */
export const PUBLIC_URL = "http://bench.test";

/** A running workerd with the bench's Worker. */
export type Runtime = {
  /** Address of workerd itself, without the development proxy. */
  url: string;
  /** Calls a route of the Worker. @throws Error with the Worker's message */
  call: <T>(path: string, body?: unknown) => Promise<T>;
  /** Peak memory of workerd in bytes: `VmHWM` of its process. */
  peakMemory: () => number;
  /**
   * Samples the heap of the Worker's own isolate from now on, and collects the garbage of all.
   * @throws Error when an inspector does not answer
   */
  watchHeap: () => Promise<HeapWatch>;
  stop: () => Promise<void>;
};

/** Variables of one bench: random keys and the git host's address. Runtimes that share data must share these. */
export function benchVars(hostUrl: string): string {
  return formatVars({
    ...Object.fromEntries(freshDevVars().map(({ name, value }) => [name, value])),
    PUBLIC_URL,
    GITHUB_WEB_URL: hostUrl,
    GITHUB_API_URL: `${hostUrl}/api`,
  });
}

/**
 * Bundles the Worker once into `directory`, so that every runtime of a run uses the same code, even when sources change
 * meanwhile.
 */
export async function bundleWorker(directory: string, source: string = CONFIG): Promise<void> {
  const bundle = join(directory, "bundle");
  const args = ["deploy", "--dry-run", "-c", source, "--outdir", bundle];
  const { code, output } = await runTool("wrangler", args, { env: { CI: "1" } });
  if (code !== 0) throw new Error(`the bench's Worker cannot be bundled:\n${output}`);
  const config = readFileSync(resolve(ROOT, source), "utf8").replace(
    /^main = "(?:.*\/)?(.*)\.ts"$/m,
    'main = "bundle/$1.js"',
  );
  writeFileSync(join(directory, "wrangler.toml"), config);
}

/**
 * Starts workerd in its own process, with its data below `data`. Keeps existing data, so that a later process continues
 * where an earlier one stopped. `heapMiB` limits the heap for memory measurements, as the platform does (128 MB per
 * isolate); otherwise V8 lets it grow on a large machine before it collects.
 */
export async function startRuntime(
  { bundled, data }: { bundled: string; data: string },
  vars: string,
  { heapMiB }: { heapMiB?: number } = {},
): Promise<Runtime> {
  mkdirSync(data, { recursive: true });
  const varsFile = join(data, "bench.vars");
  writeFileSync(varsFile, vars);
  const front = await freePort();
  const inspector = await freePort();
  const service = startService(
    "wrangler",
    [
      ...[
        "dev",
        "-c",
        join(bundled, "wrangler.toml"),
        "--no-bundle",
        "--port",
        String(front),
        "--inspector-port",
        String(inspector),
      ],
      ...["--persist-to", join(data, "state"), "--env-file", varsFile],
      "--show-interactive-dev-session=false",
    ],
    {
      logFile: join(data, "wrangler.log"),
      env: {
        ...localWranglerEnv(join(data, "state")),
        CLOUDFLARE_CF_FETCH_ENABLED: "false",
        MINIFLARE_WORKERD_V8_FLAGS: heapMiB ? `--max-heap-size=${heapMiB}` : undefined,
      },
    },
  );
  const deadline = Date.now() + START_PATIENCE_MS;
  const ended = service.ended.then(() => true);
  for (;;) {
    const found = await findWorker(front);
    if (found) return openRuntime({ ...found, inspector }, service.stop);
    if (Date.now() > deadline || (await Promise.race([ended, pause(200, false)]))) {
      await service.stop();
      throw new Error(`workerd did not start: ${service.lastWords()}`);
    }
  }
}

type Found = { url: string; pid: number };

function openRuntime(
  { url, pid, inspector }: Found & { inspector: number },
  stop: () => Promise<void>,
): Runtime {
  return {
    url,
    call: async <T>(path: string, body: unknown = {}) => {
      const { status, text } = await post(url + path, JSON.stringify(body));
      if (status !== 200) throw new Error(`${path} answered ${status}: ${text.slice(0, 500)}`);
      return JSON.parse(text) as T;
    },
    peakMemory: () => {
      const line = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"));
      if (!line) throw new Error("the kernel does not tell the peak memory of a process");
      return Number(line[1]) * 1024;
    },
    watchHeap: async () => watchHeap(`ws://127.0.0.1:${inspector}/ws`, await otherInspectors(pid)),
    stop,
  };
}

/** Not `fetch`, which times out after five minutes: a slice of a run may take eight. */
function post(url: string, body: string): Promise<{ status: number; text: string }> {
  return new Promise((settle, fail) => {
    const asked = request(url, { method: "POST" }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => chunks.push(chunk));
      answer.on("error", fail);
      answer.on("end", () =>
        settle({ status: answer.statusCode ?? 0, text: Buffer.concat(chunks).toString("utf8") }),
      );
    });
    asked.on("error", fail);
    asked.end(body);
  });
}

function freePort(): Promise<number> {
  const server = createServer();
  return new Promise((settle, fail) => {
    server.once("error", fail);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => settle(port));
    });
  });
}

/**
 * Finds the workerd with our Worker among the child processes. Wrangler starts two; the one that listens on the
 * requested port only forwards and would hide what is measured.
 */
async function findWorker(front: number): Promise<Found | null> {
  for (const pid of descendants(process.pid).filter((each) =>
    read(`/proc/${each}/comm`).includes("workerd"),
  )) {
    const ports = listeningPorts(pid);
    if (ports.includes(front)) continue;
    for (const port of ports) {
      const url = `http://127.0.0.1:${port}`;
      const answer = await fetch(`${url}/ping`, { signal: AbortSignal.timeout(2_000) }).catch(() => null);
      if ((await answer?.text().catch(() => "")) === "bench") return { url, pid };
    }
  }
  return null;
}

/** Inspectors of the isolates that are not a Worker's: the bucket, the databases, the queues, and what calls out. */
async function otherInspectors(pid: number): Promise<string[]> {
  for (const port of listeningPorts(pid)) {
    const list = await fetch(`http://127.0.0.1:${port}/json`, { signal: AbortSignal.timeout(2_000) })
      .then((answer) => answer.json() as Promise<unknown>)
      .catch(() => null);
    if (!Array.isArray(list)) continue;
    const targets = list as { id: string; webSocketDebuggerUrl: string }[];
    // Wrangler holds the sessions of Workers.
    return targets.filter(({ id }) => !id.startsWith("core:user:")).map((each) => each.webSocketDebuggerUrl);
  }
  throw new Error("workerd lists no inspectors");
}

function descendants(root: number): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const stat = read(`/proc/${name}/stat`);
    const parent = /^\d+ \(.*\) \S (\d+)/s.exec(stat)?.[1];
    if (parent) parents.set(Number(name), Number(parent));
  }
  const isBelow = (pid: number): boolean => {
    const parent = parents.get(pid);
    return parent !== undefined && (parent === root || isBelow(parent));
  };
  return [...parents.keys()].filter(isBelow);
}

function listeningPorts(pid: number): number[] {
  const sockets = new Set<string>();
  try {
    for (const fd of readdirSync(`/proc/${pid}/fd`)) {
      const inode = /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1];
      if (inode) sockets.add(inode);
    }
  } catch {
    return []; // The process has just ended.
  }
  return read(`/proc/${pid}/net/tcp`)
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter((fields) => fields[3] === "0A" && sockets.has(fields[9] ?? ""))
    .map((fields) => Number.parseInt(fields[1]!.split(":")[1]!, 16));
}

function read(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}
