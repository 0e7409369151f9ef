import type { BodyReader } from "./body-reader.ts";
import type { ObjectFormat } from "./object-format.ts";
import { createPktParser, encodePkt, FLUSH_PKT } from "./pkt-line.ts";
import type { GitHead, GitRef } from "./refs.ts";
import type { GitRemote } from "./smart-http.ts";

/** A body that arrives in these pieces. */
export function readerOf(...pieces: readonly Uint8Array[]): BodyReader {
  const waiting = [...pieces];
  return {
    read: async () => waiting.shift() ?? null,
    expectProgress: () => undefined,
    cancel: async () => undefined,
  };
}

/** Lines with a flush at the end. */
export function pktLines(...lines: readonly (string | Uint8Array)[]): Buffer {
  return Buffer.concat([...lines.map((line) => encodePkt(line)), FLUSH_PKT]);
}

/** Bytes in one side-band. */
export function band(number: number, content: string | Uint8Array): Buffer {
  return Buffer.concat([Buffer.of(number), Buffer.from(content)]);
}

/** A successful response of a git service. */
export function gitAnswer(body: Uint8Array, kind: string): Response {
  return new Response(new Uint8Array(body), { headers: { "content-type": `application/x-git-${kind}` } });
}

/** What the server in memory has. */
export type GitState = {
  head: GitHead;
  refs: GitRef[];
  /** The packs for the fetches, in their order; a function for one that depends on the wants. */
  packs: (Uint8Array | ((wants: readonly string[]) => Uint8Array))[];
  objectFormat?: ObjectFormat;
  /** Commits at which the server's own copy is cut off. */
  shallow?: string[];
  /** The commits at a depth of more than one; absent = the history is not so deep. */
  commitsAt?: (depth: number) => string[];
};

/** A server in memory that lists its refs and gives one prepared pack per fetch. */
export function gitServerOf(state: GitState) {
  const asked: { command: string; wants: string[]; haves: string[]; lines: string[] }[] = [];
  const fetch: GitRemote["fetch"] = async (_url, init) => {
    if (init?.body === undefined) {
      asked.push({ command: "capabilities", wants: [], haves: [], lines: [] });
      return gitAnswer(advertisement(state.objectFormat ?? "sha1"), "upload-pack-advertisement");
    }
    const lines = linesOf(new Uint8Array(await new Response(init.body).arrayBuffer()));
    const named = (key: string) =>
      lines.filter((line) => line.startsWith(`${key} `)).map((line) => line.slice(key.length + 1));
    const command = lines[0]!.slice("command=".length);
    const wants = named("want");
    asked.push({ command, wants, haves: named("have"), lines });
    const depth = Number(named("deepen")[0] ?? 0);
    if (depth > 1) return gitAnswer(shallowAt(state.commitsAt?.(depth) ?? []), "upload-pack-result");
    return gitAnswer(command === "ls-refs" ? listing(state) : fetched(state, wants), "upload-pack-result");
  };
  const remote: GitRemote = { url: "https://git.test/r.git", fetch, stallMs: 5_000 };
  return { remote, asked };
}

function advertisement(format: ObjectFormat): Buffer {
  return pktLines("version 2\n", "ls-refs=unborn\n", "fetch=shallow\n", `object-format=${format}\n`);
}

function listing({ head, refs }: GitState): Buffer {
  const target = head.target === null ? "" : ` symref-target:${head.target}`;
  return pktLines(
    ...(head.oid === null && head.target === null ? [] : [`${head.oid ?? "unborn"} HEAD${target}\n`]),
    ...refs.map(({ name, oid, peeled }) => `${oid} ${name}${peeled ? ` peeled:${peeled}` : ""}\n`),
  );
}

function shallowAt(commits: readonly string[]): Buffer {
  const lines = ["shallow-info\n", ...commits.map((oid) => `shallow ${oid}\n`)].map((line) =>
    encodePkt(line),
  );
  return Buffer.concat([...lines, Buffer.from("0001"), encodePkt("packfile\n"), pktLines()]);
}

function fetched({ packs, shallow = [] }: GitState, wants: readonly string[]): Buffer {
  const next = packs.shift();
  if (next === undefined) return pktLines(`ERR upload-pack: not our ref ${wants[0]}`);
  const pack = typeof next === "function" ? next(wants) : next;
  const shallows = ["shallow-info\n", ...shallow.map((oid) => `shallow ${oid}\n`)].map((line) =>
    encodePkt(line),
  );
  const before = shallow.length > 0 ? [...shallows, Buffer.from("0001")] : [];
  return Buffer.concat([...before, encodePkt("packfile\n"), pktLines(band(1, pack))]);
}

function linesOf(body: Uint8Array): string[] {
  const parser = createPktParser();
  parser.push(body);
  const lines: string[] = [];
  for (let pkt = parser.next(); pkt !== null; pkt = parser.next()) {
    if (pkt.type === "data") lines.push(Buffer.from(pkt.bytes).toString().trimEnd());
  }
  return lines;
}

/** What a receiver in memory does with the commands of a push. */
export type ReceiverRules = {
  refs?: Record<string, string>;
  /** Why a ref is refused, or null; `hasPack` = the push has objects. */
  refuse?: (ref: string, hasPack: boolean) => string | null;
  /** The refs that are refused in the report, but updated all the same. */
  lies?: (ref: string) => boolean;
};

/** A server in memory that takes pushes: it keeps the refs and what each push asked for. */
export function gitReceiverOf({
  refs: given = {},
  refuse = () => null,
  lies = () => false,
}: ReceiverRules = {}) {
  const refs = new Map(Object.entries(given));
  const pushes: { commands: string[]; packBytes: number }[] = [];
  let listings = 0;
  const fetch: GitRemote["fetch"] = async (_url, init) => {
    if (init?.body === undefined) {
      listings += 1;
      return gitAnswer(receiverListing(refs), "receive-pack-advertisement");
    }
    const body = Buffer.from(await new Response(init.body).arrayBuffer());
    const end = body.indexOf("0000PACK");
    const packBytes = end < 0 ? 0 : body.length - end - 4;
    const commands = linesOf(end < 0 ? body : body.subarray(0, end + 4)).map((line) => line.split("\0")[0]!);
    pushes.push({ commands, packBytes });
    const report = commands.map((command) => {
      const [, next = "", ref = ""] = command.split(" ");
      const reason = refuse(ref, packBytes > 32);
      if (reason === null || lies(ref)) {
        if (/^0+$/.test(next)) refs.delete(ref);
        else refs.set(ref, next);
      }
      return reason === null ? `ok ${ref}\n` : `ng ${ref} ${reason}\n`;
    });
    return gitAnswer(pktLines("unpack ok\n", ...report), "receive-pack-result");
  };
  const remote: GitRemote = { url: "https://git.test/target.git", fetch, stallMs: 5_000 };
  return { remote, refs, pushes, listings: () => listings };
}

function receiverListing(refs: ReadonlyMap<string, string>): Buffer {
  const lines = [...refs].map(([name, oid]) => `${oid} ${name}`);
  const [first = `${"0".repeat(40)} capabilities^{}`, ...others] = lines;
  return Buffer.concat([
    pktLines("# service=git-receive-pack\n"),
    pktLines(`${first}\0report-status object-format=sha1\n`, ...others.map((line) => `${line}\n`)),
  ]);
}
