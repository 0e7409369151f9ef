import { expect, test } from "vitest";
import { contractsAreAbsent, readContract } from "#tests/conformance/contracts.ts";
import { failureOf } from "#tests/conformance/describe-platform-connector.ts";
import { zeroOid } from "./object-format.ts";
import { createPktParser } from "./pkt-line.ts";
import { pushPack, receiverAdvertisement } from "./receive-pack.ts";
import { fetchPack, lsRefs, uploadPackCapabilities } from "./upload-pack.ts";

/** A recorded exchange with real git, replayed to our own client. */
type Exchange = {
  scenario: string;
  request: { method: string; url: string; body_base64?: string };
  response: { status: number; headers: Record<string, string>; body_base64: string };
};

/** A server that replays the responses of one scenario, each to its recorded request. */
function replay(scenario: string) {
  const { exchanges } = readContract("git/smart-http.recorded.json") as { exchanges: Exchange[] };
  const waiting = exchanges.filter((each) => each.scenario === scenario);
  const fetch = async (url: string, init?: RequestInit) => {
    const { pathname, search } = new URL(url);
    const method = init?.method ?? "GET";
    const at = waiting.findIndex(({ request }) => {
      const asked = request.url.slice(request.url.indexOf("/", 1));
      return request.method === method && asked === `${pathname.slice(pathname.indexOf("/", 1))}${search}`;
    });
    const [exchange] = waiting.splice(at === -1 ? waiting.length : at, 1);
    if (!exchange) throw new Error(`${scenario} has no answer to ${method} ${url}`);
    await new Response(init?.body).arrayBuffer();
    const { status, headers, body_base64 } = exchange.response;
    return new Response(Buffer.from(body_base64, "base64"), { status, headers });
  };
  return { remote: { url: "http://git.test/repo.git", fetch, stallMs: 10_000 }, waiting };
}

/** The commands at the start of a push, up to the flush before its pack. */
function commandsOf(body: Uint8Array) {
  const parser = createPktParser();
  parser.push(body);
  const commands: { old: string; new: string; ref: string }[] = [];
  for (let pkt = parser.next(); pkt?.type === "data"; pkt = parser.next()) {
    const [line = ""] = Buffer.from(pkt.bytes).toString("latin1").split("\0");
    const [before = "", after = "", ref = ""] = line.split(" ");
    commands.push({ old: before, new: after, ref });
  }
  return commands;
}

const ALL = { prefixes: ["refs/"] };

test.skipIf(contractsAreAbsent())(
  "refs listed by real git are read, and an empty repository has none",
  async () => {
    const { remote, waiting } = replay("ls-remote protocol v2");
    const { refs, head } = await lsRefs(remote, ALL);
    expect(refs.map(({ name }) => name)).toEqual(expect.arrayContaining(["refs/heads/main"]));
    for (const { oid } of refs) expect(oid).toMatch(/^[0-9a-f]{40}$/);
    expect(head.target).toBe("refs/heads/main");
    expect(waiting).toEqual([]);
    const empty = await lsRefs(replay("ls-remote empty repository, v2").remote, ALL);
    expect(empty.refs).toEqual([]);
  },
);

test.skipIf(contractsAreAbsent())(
  "packs of a clone, a shallow clone and a later fetch are complete and report shallow commits",
  async () => {
    for (const [scenario, isShallow] of [
      ["clone --mirror, v2", false],
      ["shallow clone --depth 1, v2", true],
      ["incremental fetch, v2", false],
    ] as const) {
      const { remote, waiting } = replay(scenario);
      const { refs } = await lsRefs(remote, ALL);
      const chunks: Uint8Array[] = [];
      const pack = await fetchPack(remote, {
        wants: refs.map(({ oid }) => oid),
        haves: [],
        objectFormat: "sha1",
        sink: { write: (chunk: Uint8Array) => void chunks.push(Uint8Array.from(chunk)) },
      });
      const bytes = Buffer.concat(chunks);
      expect([scenario, bytes.subarray(0, 4).toString(), pack.shallow.length > 0]).toEqual([
        scenario,
        "PACK",
        isShallow,
      ]);
      expect(waiting).toEqual([]);
    }
  },
);

test.skipIf(contractsAreAbsent())(
  "an older protocol is reported, and a missing repository is gone",
  async () => {
    const old = await failureOf(uploadPackCapabilities(replay("ls-remote protocol v0").remote));
    expect(old.kind).toBe("unsupported");
    const missing = { ...replay("clone of a missing repository").remote, url: "http://git.test/missing.git" };
    expect((await failureOf(uploadPackCapabilities(missing))).kind).toBe("gone");
  },
);

test.skipIf(contractsAreAbsent())(
  "push reports of real git are read ref by ref, refusals with their reason",
  async () => {
    const { exchanges } = readContract("git/smart-http.recorded.json") as { exchanges: Exchange[] };
    for (const scenario of [
      "push --mirror into an empty repository",
      "push one commit",
      "non-fast-forward push refused by the server",
    ]) {
      const { remote, waiting } = replay(scenario);
      const advertisement = await receiverAdvertisement(remote);
      // Send the same commands as git did.
      const sent = exchanges.find((each) => each.scenario === scenario && each.request.method === "POST");
      const commands = commandsOf(Buffer.from(sent?.request.body_base64 ?? "", "base64"));
      expect(commands.length).toBeGreaterThan(0);
      const report = await pushPack(remote, {
        commands,
        pack: null,
        packLength: 0,
        objectFormat: "sha1",
        advertisement,
      });
      expect(report.unpackError).toBeNull();
      expect(report.refs.map(({ ref }) => ref)).toEqual(commands.map(({ ref }) => ref));
      const isRefused = scenario.startsWith("non-fast-forward");
      for (const result of report.refs) {
        expect([scenario, result.isUpdated]).toEqual([scenario, !isRefused]);
        if (!result.isUpdated) expect(result.cause).toBe("non-fast-forward");
      }
      expect(commands.some(({ old }) => old === zeroOid("sha1"))).toBe(scenario.startsWith("push --mirror"));
      expect(waiting).toEqual([]);
    }
  },
);
