import { createHash, type Hash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { serveGitBackend } from "#connectors/toolkit/simulator/git-backend.ts";
import { FLUSH, pktLine } from "#connectors/toolkit/simulator/pkt-line.ts";
import { runGit } from "#connectors/toolkit/simulator/run-git.ts";
import { type GeneratedRepository, generateRepository } from "./generated-pack.ts";

/** Simulates GitHub for both sides of every comparison: the few REST calls of a run, and git itself. */
export type GitHost = {
  url: string;
  /** Registers a name under an id. Several ids may share one repository, so that each counts as new. */
  register: (externalId: string, name: string) => void;
  /** Blocks requests for git data of a name until the returned function is called. */
  hold: (name: string) => () => void;
  /** Bytes of git data sent, and the number of requests, since the last call. */
  takeSent: () => { bytes: number; requests: number };
  /** The last pack with objects that was pushed to a sink: its length, and whether its SHA-1 matches its trailer. */
  lastSunk: () => { isSound: boolean; bytes: number } | null;
  close: () => Promise<void>;
};

const ZERO = "0".repeat(40);
const TRAILER_BYTES = 20;
/** Header and trailer of a pack without objects. Such packs are ignored, since they say nothing about a restore. */
const EMPTY_PACK_BYTES = 32;
const MIB = 1_048_576;
const NONE = { totalCount: 0, nodes: [] };
const NOTHING_LISTED = {
  data: {
    repository: {
      issues: NONE,
      pullRequests: NONE,
      labels: NONE,
      milestones: NONE,
      releases: NONE,
      commitComments: NONE,
      viewerCanAdminister: true,
      branchProtectionRules: { nodes: [], pageInfo: { hasNextPage: false, endCursor: null } },
    },
  },
};

/**
 * Starts the host for the bare repositories `root/NAME.git`, served by the real `git http-backend`. A name
 * `generated-BYTES` is a repository that is generated while it streams. A name that begins with `sink` accepts pushes
 * and stores nothing.
 */
export async function startGitHost(root: string): Promise<GitHost> {
  const names = new Map<string, string>();
  const generated = new Map<string, GeneratedRepository>();
  const sinks = new Map<string, Map<string, string>>();
  const held = new Map<string, Promise<void>>();
  const sent = { bytes: 0, requests: 0 };
  let sunk: { isSound: boolean; bytes: number } | null = null;

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    if (pathname.startsWith("/api/")) return answerApi(request, response, pathname.slice(4));
    const [, name = "", pathInfo = ""] = /^\/bench\/([\w.-]+)\.git(\/.*)$/.exec(pathname) ?? [];
    await held.get(name);
    if (name.startsWith("sink")) {
      sunk = (await sink(request, response, sinks.get(name)!)) ?? sunk;
      return;
    }
    countSent(response, sent);
    if (!name.startsWith("generated-")) {
      await serveGitBackend(request, response, { repository: join(root, `${name}.git`), pathInfo });
      return;
    }
    const bytes = Number(name.split("-")[1]);
    if (!generated.has(name)) generated.set(name, generateRepository(bytes));
    await serveGenerated(request, response, generated.get(name)!);
  }

  async function answerApi(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    const body = (await read(request)).toString();
    const externalId = /^\/repositories\/(\w+)$/.exec(path)?.[1];
    let name = externalId ? names.get(externalId) : /^\/repos\/bench\/([\w.-]+)/.exec(path)?.[1];
    if (request.method === "POST" && path === "/user/repos") {
      name = (JSON.parse(body) as { name: string }).name;
      if (name.startsWith("sink")) sinks.set(name, new Map());
      else runGit(null, ["init", "-q", "--bare", join(root, `${name}.git`)]);
    }
    if (path.endsWith("/actions/permissions")) return void response.writeHead(204).end();
    if (path.includes("/contents/"))
      return void response.writeHead(404).end(JSON.stringify({ message: "Not Found" }));
    const beside = path === "/graphql" ? NOTHING_LISTED : nothingAt(path);
    const repository = name ? render(state.url, externalId ?? `new-${name}`, name) : null;
    response.writeHead(beside || repository ? 200 : 404, { "content-type": "application/json" });
    response.end(JSON.stringify(beside ?? repository ?? { message: "Not Found" }));
  }

  await new Promise<void>((settle) => server.listen(0, "127.0.0.1", settle));
  const state: GitHost = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    register: (externalId, name) => void names.set(externalId, name),
    hold: (name) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      held.set(name, promise);
      return () => {
        held.delete(name);
        resolve();
      };
    },
    takeSent: () => {
      const taken = { ...sent };
      sent.bytes = 0;
      sent.requests = 0;
      return taken;
    },
    lastSunk: () => sunk,
    close: async () => {
      server.closeAllConnections();
      await new Promise((settle) => server.close(settle));
    },
  };
  return state;
}

/** The list below a repository at a path. Always empty, because the benches measure git. */
function nothingAt(path: string): object | null {
  const list = /^\/repos\/bench\/[\w.-]+\/(?:.*\/)?(\w+)$/.exec(path)?.[1];
  if (list === undefined) return null;
  return ["secrets", "variables", "environments"].includes(list) ? { total_count: 0, [list]: [] } : [];
}

function render(url: string, id: string, name: string) {
  return {
    id,
    node_id: `R_${id}`,
    name,
    full_name: `bench/${name}`,
    private: true,
    visibility: "private",
    owner: { id: 1, node_id: "U_1", login: "bench", type: "User" },
    html_url: `${url}/bench/${name}`,
    description: null,
    default_branch: "main",
    size: 0,
    has_issues: false,
    has_projects: false,
    has_wiki: false,
    has_discussions: false,
  };
}

function countSent(response: ServerResponse, sent: { bytes: number; requests: number }): void {
  const write = response.write.bind(response) as (chunk: Uint8Array, ...rest: unknown[]) => boolean;
  sent.requests += 1;
  response.write = ((chunk: Uint8Array, ...rest: unknown[]) => {
    sent.bytes += chunk.length;
    return write(chunk, ...rest);
  }) as typeof response.write;
}

async function serveGenerated(
  request: IncomingMessage,
  response: ServerResponse,
  repository: GeneratedRepository,
): Promise<void> {
  const order = (await read(request)).toString("latin1");
  const isList = request.method === "GET";
  response.writeHead(200, {
    "content-type": `application/x-git-upload-pack-${isList ? "advertisement" : "result"}`,
  });
  const lines = (...texts: string[]) => Buffer.concat([...texts.map((text) => pktLine(text)), FLUSH]);
  if (isList) {
    response.end(
      lines("version 2\n", "agent=bench\n", "ls-refs=unborn\n", "fetch\n", "object-format=sha1\n"),
    );
    return;
  }
  const { commit } = repository;
  if (order.includes("command=ls-refs")) {
    response.end(lines(`${commit} HEAD symref-target:refs/heads/main\n`, `${commit} refs/heads/main\n`));
    return;
  }
  function* answer(): Generator<Buffer> {
    yield pktLine("packfile\n");
    yield* repository.packLines();
    yield FLUSH;
  }
  await pipeline(Readable.from(answer(), { objectMode: false, highWaterMark: MIB }), response);
}

/** Accepts a push as git does: checks the pack's trailer and moves the refs, but stores no object. */
async function sink(
  request: IncomingMessage,
  response: ServerResponse,
  refs: Map<string, string>,
): Promise<{ isSound: boolean; bytes: number } | null> {
  const type = `application/x-git-receive-pack-${request.method === "GET" ? "advertisement" : "result"}`;
  response.writeHead(200, { "content-type": type });
  if (request.method === "GET") {
    const features = "report-status delete-refs ofs-delta object-format=sha1";
    const known = [...refs].map(([ref, oid]) => `${oid} ${ref}`);
    if (known.length === 0) known.push(`${ZERO} capabilities^{}`);
    known[0] = `${known[0]}\0${features}`;
    const list = known.map((line) => pktLine(`${line}\n`));
    response.end(Buffer.concat([pktLine("# service=git-receive-pack\n"), FLUSH, ...list, FLUSH]));
    return null;
  }
  const hash = createHash("sha1");
  const commands: string[] = [];
  let head: Buffer = Buffer.alloc(0);
  let isHead = true;
  let held: Buffer = Buffer.alloc(0);
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    let pack = chunk;
    if (isHead) {
      head = Buffer.concat([head, chunk]);
      const end = commandsEnd(head);
      if (end < 0) continue;
      commands.push(...readCommands(head));
      pack = head.subarray(end);
      isHead = false;
    }
    bytes += pack.length;
    held = hashAllButTrailer(hash, held, pack);
  }
  for (const command of commands) {
    const [, oid = "", ref = ""] = command.split(" ");
    if (oid === ZERO) refs.delete(ref);
    else refs.set(ref, oid);
  }
  const report = commands.map((command) => pktLine(`ok ${command.split(" ")[2]}\n`));
  response.end(Buffer.concat([pktLine("unpack ok\n"), ...report, FLUSH]));
  return bytes > EMPTY_PACK_BYTES ? { isSound: hash.digest().equals(held), bytes } : null;
}

/** Hashes all but the last bytes, which may be the trailer, and returns those. */
function hashAllButTrailer(hash: Hash, held: Buffer, next: Buffer): Buffer {
  if (next.length >= TRAILER_BYTES) {
    hash.update(held).update(next.subarray(0, -TRAILER_BYTES));
    return Buffer.from(next.subarray(-TRAILER_BYTES));
  }
  const joined = Buffer.concat([held, next]);
  const known = Math.max(0, joined.length - TRAILER_BYTES);
  hash.update(joined.subarray(0, known));
  return joined.subarray(known);
}

function commandsEnd(bytes: Buffer): number {
  for (let at = 0; at + 4 <= bytes.length; ) {
    const length = Number.parseInt(bytes.toString("latin1", at, at + 4), 16);
    if (length === 0) return at + 4;
    at += length;
  }
  return -1;
}

function readCommands(bytes: Buffer): string[] {
  const commands: string[] = [];
  for (let at = 0; ; ) {
    const length = Number.parseInt(bytes.toString("latin1", at, at + 4), 16);
    if (length === 0) return commands;
    commands.push(
      bytes
        .toString("latin1", at + 4, at + length)
        .split("\0")[0]!
        .trim(),
    );
    at += length;
  }
}

async function read(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
  return Buffer.concat(parts);
}
