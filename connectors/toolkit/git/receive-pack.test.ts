import { afterAll, beforeAll, expect, test } from "vitest";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { Progress } from "#connectors/contract/platform-connector.ts";
import { type GitServer, startGitServer } from "#connectors/toolkit/simulator/git-server.ts";
import { type GitWorkshop, openGitWorkshop } from "#connectors/toolkit/simulator/git-workshop.ts";
import { lend } from "#tests/harness/lend.ts";
import { zeroOid } from "./object-format.ts";
import { encodePkt } from "./pkt-line.ts";
import { pushPack, receiverAdvertisement } from "./receive-pack.ts";
import { basicAuthorization, type GitRemote } from "./smart-http.ts";
import { fetchPack, lsRefs } from "./upload-pack.ts";

let workshop: GitWorkshop;
let server: GitServer;
const STRICT = {
  "receive.fsckObjects": "true",
  "transfer.hideRefs": "refs/pull",
  "receive.denyNonFastForwards": "true",
};

beforeAll(async () => {
  workshop = openGitWorkshop();
  server = await startGitServer(workshop.folder, { config: () => STRICT });
});
afterAll(async () => {
  await server.close();
  workshop.remove();
});

function remote(path: string, more: Partial<GitRemote> = {}): GitRemote {
  const authorization = async () => basicAuthorization("x-access-token", "token");
  return {
    url: `${server.url}/${path}`,
    fetch: (url, init) => fetch(url, init),
    authorization,
    stallMs: 10_000,
    ...more,
  };
}

const ZERO = zeroOid("sha1");

/** Each piece becomes invalid with the next one, like the vault's chunks. */
const inPieces = (bytes: Uint8Array) => lend(bytes, [1000]);

/** Three states of a repository, each fetched as a separate pack, as a backup stores them. */
async function backUpThrice(name: string, format: "sha1" | "sha256" = "sha1") {
  workshop.git(".", ["init", "-q", "-b", "main", `--object-format=${format}`, name]);
  const packs: { tip: string; bytes: Buffer }[] = [];
  const known: string[] = [];
  for (let state = 0; state < 3; state++) {
    workshop.write(`${name}/file.txt`, `${state === 2 ? "state 0" : `state ${state}`}\n`.repeat(500));
    const tip = workshop.commit(name, `state ${state}`);
    const chunks: Buffer[] = [];
    const sink = { write: (chunk: Uint8Array) => void chunks.push(Buffer.from(chunk)) };
    // A server without bitmaps sends the reverted blob again: packs then overlap, which must be harmless.
    await fetchPack(remote(`${name}/.git`), { wants: [tip], haves: known, objectFormat: format, sink });
    packs.push({ tip, bytes: Buffer.concat(chunks) });
    known.push(tip);
  }
  return packs;
}

test.each(["sha1", "sha256"] as const)(
  "packs pushed in sequence through a temporary branch are accepted by a strict server (%s)",
  async (format) => {
    const packs = await backUpThrice(`source-${format}`, format);
    workshop.git(".", [
      "init",
      "-q",
      "--bare",
      "-b",
      "main",
      `--object-format=${format}`,
      `target-${format}.git`,
    ]);
    const target = remote(`target-${format}.git`);
    const zero = zeroOid(format);
    let old = zero;
    const seen: Progress[] = [];
    for (const pack of packs) {
      const report = await pushPack(target, {
        commands: [{ old, new: pack.tip, ref: "refs/heads/holdfast-restore" }],
        pack: inPieces(pack.bytes),
        packLength: pack.bytes.length,
        objectFormat: format,
        onProgress: (progress) => seen.push(progress),
      });
      expect(report).toMatchObject({ unpackError: null, refs: [{ isUpdated: true }] });
      old = pack.tip;
    }
    const refs = await pushPack(target, {
      commands: [
        { old: zero, new: old, ref: "refs/heads/main" },
        { old: zero, new: packs[0]!.tip, ref: "refs/tags/first" },
        { old, new: zero, ref: "refs/heads/holdfast-restore" },
      ],
      pack: null,
      packLength: 0,
      objectFormat: format,
    });
    expect(refs.refs.every((ref) => ref.isUpdated)).toBe(true);
    workshop.git(`target-${format}.git`, ["fsck", "--strict", "--full"]);
    const listing = await lsRefs(target, { prefixes: ["refs/"] });
    expect(listing.refs).toEqual([
      { name: "refs/heads/main", oid: old },
      { name: "refs/tags/first", oid: packs[0]!.tip },
    ]);
    expect(seen).toContainEqual({
      phase: "Sending objects",
      done: packs[2]!.bytes.length,
      total: packs[2]!.bytes.length,
      unit: "bytes",
    });
  },
);

test("a hidden ref is refused with its reason while other refs of the push succeed", async () => {
  const [first] = await backUpThrice("hidden");
  workshop.git(".", ["init", "-q", "--bare", "-b", "main", "hidden-target.git"]);
  const report = await pushPack(remote("hidden-target.git"), {
    commands: [
      { old: ZERO, new: first!.tip, ref: "refs/pull/1/head" },
      { old: ZERO, new: first!.tip, ref: "refs/heads/main" },
    ],
    pack: inPieces(first!.bytes),
    packLength: first!.bytes.length,
    objectFormat: "sha1",
  });
  expect(report.refs).toEqual([
    {
      ref: "refs/pull/1/head",
      isUpdated: false,
      cause: "hidden-ref",
      reason: expect.stringContaining("hidden ref"),
    },
    { ref: "refs/heads/main", isUpdated: true },
  ]);
  expect(workshop.git("hidden-target.git", ["rev-parse", "refs/heads/main"])).toBe(first!.tip);
});

test("a push that would rewind a branch is refused as non-fast-forward", async () => {
  const [first, second] = await backUpThrice("rewind");
  const result = await pushPack(remote("rewind/.git"), {
    commands: [{ old: second!.tip, new: first!.tip, ref: "refs/heads/other" }],
    pack: null,
    packLength: 0,
    objectFormat: "sha1",
  });
  expect(result.refs[0]).toMatchObject({ isUpdated: false });
  workshop.git("rewind", ["branch", "other", second!.tip]);
  const report = await pushPack(remote("rewind/.git"), {
    commands: [{ old: second!.tip, new: first!.tip, ref: "refs/heads/other" }],
    pack: null,
    packLength: 0,
    objectFormat: "sha1",
  });
  expect(report.refs[0]).toMatchObject({ isUpdated: false, cause: "non-fast-forward" });
});

test("a damaged pack is an unpack error for every ref, and no ref moves", async () => {
  const [first] = await backUpThrice("damage");
  const bytes = Buffer.from(first!.bytes);
  bytes[bytes.length >> 1]! ^= 0x55;
  workshop.git(".", ["init", "-q", "--bare", "-b", "main", "damage-target.git"]);
  const report = await pushPack(remote("damage-target.git"), {
    commands: [{ old: ZERO, new: first!.tip, ref: "refs/heads/main" }],
    pack: inPieces(bytes),
    packLength: bytes.length,
    objectFormat: "sha1",
  });
  expect(report.unpackError).not.toBeNull();
  expect(report.refs).toEqual([
    {
      ref: "refs/heads/main",
      isUpdated: false,
      cause: "unpack-failed",
      reason: expect.stringContaining("unpack"),
    },
  ]);
  expect((await receiverAdvertisement(remote("damage-target.git"))).refs.size).toBe(0);
});

test("a pack source that fails or has a wrong length fails the push with its own error", async () => {
  const [first] = await backUpThrice("short");
  workshop.git(".", ["init", "-q", "--bare", "-b", "main", "short-target.git"]);
  const order = {
    commands: [{ old: ZERO, new: first!.tip, ref: "refs/heads/main" }],
    objectFormat: "sha1" as const,
  };
  await expect(
    pushPack(remote("short-target.git"), {
      ...order,
      pack: inPieces(first!.bytes.subarray(0, -1)),
      packLength: first!.bytes.length,
    }),
  ).rejects.toThrow(RangeError);
  async function* failing(): AsyncGenerator<Uint8Array> {
    yield first!.bytes.subarray(0, 20);
    throw new Error("the vault does not open");
  }
  await expect(
    pushPack(remote("short-target.git"), { ...order, pack: failing(), packLength: first!.bytes.length }),
  ).rejects.toThrow("the vault does not open");
  expect((await receiverAdvertisement(remote("short-target.git"))).refs.size).toBe(0);
});

test("a refusal before the server has read the pack is reported, without its progress", async () => {
  const [first] = await backUpThrice("refused");
  workshop.git(".", ["init", "-q", "--bare", "-b", "main", "refused-target.git"]);
  let sent = 0;
  async function* endless(): AsyncGenerator<Uint8Array> {
    for (; sent < 4_000_000; sent += 1000) yield new Uint8Array(1000);
  }
  const order = {
    commands: [{ old: ZERO, new: first!.tip, ref: "refs/heads/main" }],
    objectFormat: "sha1" as const,
  };
  const { options } = server;
  server.options = {
    ...options,
    intercept: (request, response) => {
      if (request.method !== "POST") return false;
      response.writeHead(403, { connection: "close" }).end("read only", () => request.destroy());
      return true;
    },
  };
  const target = remote("refused-target.git");
  const refused = await pushPack(target, { ...order, pack: endless(), packLength: 4_000_000 }).catch(
    (cause: unknown) => cause,
  );
  server.options = options;
  expect(refused).toBeInstanceOf(ConnectorError);
  expect(["forbidden", "unavailable"]).toContain((refused as ConnectorError).kind);

  const report = await pushPack(
    scripted(
      banded("Resolving deltas:  50% (1/2)\rResolving deltas: 100% (2/2), done.\nWelcome\n", [
        "unpack ok",
        "ok refs/heads/main",
      ]),
    ),
    {
      ...order,
      pack: null,
      packLength: 0,
    },
  );
  expect(report.messages).toBe("Welcome\n");
});

/** A receiver that responds with prepared lines. */
function scripted(answer: Uint8Array): GitRemote {
  const advertisement = Buffer.concat([
    encodePkt("# service=git-receive-pack\n"),
    Buffer.from("0000"),
    encodePkt(`${ZERO} capabilities^{}\0report-status side-band-64k object-format=sha1\n`),
    Buffer.from("0000"),
  ]);
  return {
    url: "https://git.example.test/x.git",
    fetch: async (url, init) => {
      if (init?.body instanceof ReadableStream) await new Response(init.body).arrayBuffer();
      const isList = url.includes("info/refs");
      const type = `application/x-git-receive-pack-${isList ? "advertisement" : "result"}`;
      const body = isList ? advertisement : answer;
      return new Response(body as Uint8Array<ArrayBuffer>, { headers: { "content-type": type } });
    },
  };
}

function banded(messages: string, report: string[]): Uint8Array {
  const inner = Buffer.concat([...report.map((line) => encodePkt(`${line}\n`)), Buffer.from("0000")]);
  return Buffer.concat([
    ...(messages === "" ? [] : [encodePkt(Buffer.concat([Buffer.of(2), Buffer.from(messages)]))]),
    encodePkt(Buffer.concat([Buffer.of(1), inner])),
    Buffer.from("0000"),
  ]);
}

test.each([
  [
    "push-protection",
    "error: GH013: Repository rule violations found for refs/heads/main.\n",
    "push declined due to repository rule violations",
  ],
  [
    "workflow-permission",
    "",
    "refusing to allow a GitHub App to create or update workflow `.github/workflows/ci.yml` without `workflows` permission",
  ],
  [
    "missing-lfs-object",
    "error: GH008: Your push referenced at least 1 unknown Git LFS object:\n",
    "pre-receive hook declined",
  ],
  ["file-too-large", "error: GH001: Large files detected.\n", "pre-receive hook declined"],
  [
    "protected-ref",
    "error: GH006: Protected branch update failed for refs/heads/main.\n",
    "protected branch hook declined",
  ],
  ["other", "", "failed to update ref"],
])(
  "a refusal for %s is recognised by the server's message, which is kept",
  async (cause, messages, reason) => {
    const report = await pushPack(
      scripted(banded(messages, ["unpack ok", `ng refs/heads/main ${reason}`, "ok refs/heads/b"])),
      {
        commands: [
          { old: ZERO, new: "1".repeat(40), ref: "refs/heads/main" },
          { old: ZERO, new: "1".repeat(40), ref: "refs/heads/b" },
          { old: ZERO, new: "1".repeat(40), ref: "refs/heads/c" },
        ],
        pack: null,
        packLength: 0,
        objectFormat: "sha1",
      },
    );
    expect(report.refs[0]).toMatchObject({
      isUpdated: false,
      cause,
      reason: expect.stringContaining(reason),
    });
    if (messages !== "")
      expect(report.refs[0]).toMatchObject({ reason: expect.stringContaining(messages.trim().slice(7)) });
    expect(report.refs[1]).toEqual({ ref: "refs/heads/b", isUpdated: true });
    expect(report.refs[2]).toMatchObject({ isUpdated: false, cause: "not-reported" });
  },
);

test("a truncated or missing report, or a fatal message, is an error", async () => {
  const order = {
    commands: [{ old: ZERO, new: "1".repeat(40), ref: "refs/heads/main" }],
    pack: null,
    packLength: 0,
    objectFormat: "sha1" as const,
  };
  const whole = banded("", ["unpack ok", "ok refs/heads/main"]);
  for (let length = 0; length < whole.length; length++) {
    await expect(pushPack(scripted(whole.slice(0, length)), order)).rejects.toThrow(ConnectorError);
  }
  const fatal = Buffer.concat([encodePkt("\u0003fatal: disk full\n"), Buffer.from("0000")]);
  await expect(pushPack(scripted(fatal), order)).rejects.toThrow("disk full");
  await expect(pushPack(scripted(banded("", [])), order)).rejects.toThrow(ConnectorError);
  await expect(pushPack(scripted(whole), { ...order, objectFormat: "sha256", commands: [] })).rejects.toThrow(
    "uses sha1",
  );
});
