import { expect, test } from "vitest";
import type { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { Progress } from "#connectors/contract/platform-connector.ts";
import { emptyPack } from "./object-format.ts";
import { DELIM_PKT } from "./pkt-line.ts";
import {
  type PushOrder,
  pushPack,
  type ReceiverAdvertisement,
  receiverAdvertisement,
} from "./receive-pack.ts";
import { blob, forge } from "./test-packs.ts";
import { band, gitAnswer, pktLines } from "./test-remote.ts";

const [A, B] = ["a".repeat(40), "b".repeat(40)];
const ZERO = "0".repeat(40);
const REPORT = pktLines("unpack ok\n", "ok refs/heads/main\n");
const PACK = forge([blob("content")]);

/** A receiver that gives these bodies in turn, and what it was sent. */
function receiverOf(...bodies: Uint8Array[]) {
  const sent: Buffer[] = [];
  const fetch = async (_url: string, init?: RequestInit) => {
    const isList = init?.body === undefined;
    if (!isList) sent.push(Buffer.from(await new Response(init.body).arrayBuffer()));
    return gitAnswer(bodies.shift()!, `receive-pack-${isList ? "advertisement" : "result"}`);
  };
  return { sent, remote: { url: "https://git.test/r.git", fetch, stallMs: 2_000 } };
}

const listed = (...lines: string[]) => receiverAdvertisement(receiverOf(pktLines(...lines)).remote);

test("an advertisement has the features behind its first ref, and the refs of all lines", async () => {
  const found = await listed(
    `${A} refs/heads/main\0report-status side-band-64k  agent=git/2=x =odd object-format=sha1\n`,
    `${B} refs/tags/v1\0late-feature\n`,
    `${B} .have\n`,
    `shallow ${A}\n`,
    "noline\n",
  );
  expect([...found.capabilities]).toEqual([
    ["report-status", ""],
    ["side-band-64k", ""],
    ["agent", "git/2=x"],
    ["", "odd"],
    ["object-format", "sha1"],
  ]);
  expect([...found.refs]).toEqual([
    ["refs/heads/main", A],
    ["refs/tags/v1", B],
  ]);
  expect(found.objectFormat).toBe("sha1");
});

test("the banner of the service and the version before the refs are passed over; an empty repository has none", async () => {
  const banner = pktLines("# service=git-receive-pack\n");
  const refs = pktLines("version 1\n", `${ZERO} capabilities^{}\0report-status object-format=sha256\n`);
  const found = await receiverAdvertisement(receiverOf(Buffer.concat([banner, refs])).remote);
  expect([found.refs.size, found.objectFormat, found.capabilities.has("report-status")]).toEqual([
    0,
    "sha256",
    true,
  ]);
  const nothing = await receiverAdvertisement(receiverOf(Buffer.concat([banner, pktLines()])).remote);
  expect([nothing.refs.size, nothing.capabilities.size, nothing.objectFormat]).toEqual([0, 0, "sha1"]);
});

test("an advertisement that is cut off or broken is an error", async () => {
  const cut = receiverOf(pktLines(`${A} refs/heads/main\0report-status\n`).subarray(0, -4));
  await expect(receiverAdvertisement(cut.remote)).rejects.toMatchObject({ kind: "unavailable" });
  await expect(receiverAdvertisement(receiverOf(DELIM_PKT).remote)).rejects.toMatchObject({
    kind: "malformed",
    message: "The receiver's list of refs is broken.",
  });
});

const WITH = (...features: string[]): ReceiverAdvertisement => ({
  capabilities: new Map(features.map((feature) => [feature, ""])),
  refs: new Map(),
  objectFormat: "sha1",
});
const ORDER: PushOrder = {
  commands: [{ old: ZERO, new: A, ref: "refs/heads/main" }],
  pack: null,
  packLength: 0,
  objectFormat: "sha1",
  advertisement: WITH("report-status"),
};

test("the commands come first, with the features that the receiver knows behind the first of them", async () => {
  const { remote, sent } = receiverOf(REPORT, REPORT);
  const commands = [...ORDER.commands, { old: A, new: B, ref: "refs/heads/b" }];
  await pushPack(remote, { ...ORDER, commands });
  const lines = (features: string) =>
    pktLines(`${ZERO} ${A} refs/heads/main\0 ${features} agent=git/holdfast-1`, `${A} ${B} refs/heads/b`);
  expect(sent[0]!.equals(Buffer.concat([lines("report-status"), emptyPack("sha1")]))).toBe(true);
  const banded = receiverOf(pktLines(band(1, REPORT)));
  const advertisement = WITH("report-status", "side-band-64k", "object-format", "atomic");
  const report = await pushPack(banded.remote, { ...ORDER, commands, advertisement });
  const features = "report-status side-band-64k object-format=sha1";
  expect(banded.sent[0]!.equals(Buffer.concat([lines(features), emptyPack("sha1")]))).toBe(true);
  expect(report.refs.map(({ isUpdated }) => isUpdated)).toEqual([true, false]);
});

test("a push that only deletes has no pack, not even an empty one", async () => {
  const { remote, sent } = receiverOf(REPORT);
  await pushPack(remote, { ...ORDER, commands: [{ old: A, new: ZERO, ref: "refs/heads/main" }] });
  expect(sent[0]!.includes("PACK")).toBe(false);
  expect(sent[0]!.subarray(-4).toString()).toBe("0000");
});

test("without a known advertisement the receiver is asked first", async () => {
  const { remote, sent } = receiverOf(pktLines(`${B} refs/heads/x\0report-status\n`), REPORT);
  const { advertisement: _, ...order } = ORDER;
  expect((await pushPack(remote, order)).refs).toEqual([{ ref: "refs/heads/main", isUpdated: true }]);
  expect(sent).toHaveLength(1);
});

test.each<[string, Partial<PushOrder>, string, RegExp]>([
  [
    "for a receiver of another format",
    { advertisement: { ...WITH("report-status"), objectFormat: "sha256" } },
    "unsupported",
    /^The target repository uses sha256, the backup sha1\.$/,
  ],
  ["without a report", { advertisement: WITH("side-band-64k") }, "unsupported", /does not report/],
  [
    "of an unsound name",
    { commands: [{ old: ZERO, new: A, ref: "refs/heads/a..b" }] },
    "malformed",
    /^'refs\/heads\/a\.\.b' cannot/,
  ],
  [
    "from no object",
    { commands: [{ old: "x", new: A, ref: "refs/heads/a" }] },
    "malformed",
    /cannot be pushed/,
  ],
  [
    "to no object",
    { commands: [{ old: ZERO, new: "x", ref: "refs/heads/a" }] },
    "malformed",
    /cannot be pushed/,
  ],
])("a push %s is never sent", async (_, changes, kind, words) => {
  const { remote, sent } = receiverOf(REPORT);
  const error = await pushPack(remote, { ...ORDER, ...changes }).catch((cause: ConnectorError) => cause);
  expect(error).toMatchObject({ kind, message: expect.stringMatching(words) });
  expect(sent).toEqual([]);
});

async function* piecesOf(...pieces: Uint8Array[]) {
  yield* pieces;
}

test("a pack follows its commands in pieces, with progress, and empty pieces are passed over", async () => {
  const { remote, sent } = receiverOf(REPORT);
  const seen: Progress[] = [];
  const pack = piecesOf(PACK.subarray(0, 10), new Uint8Array(0), PACK.subarray(10));
  const onProgress = (progress: Progress) => void seen.push(progress);
  await pushPack(remote, { ...ORDER, pack, packLength: PACK.length, onProgress });
  expect(sent[0]!.subarray(-PACK.length).equals(PACK)).toBe(true);
  const progress = { phase: "Sending objects", total: PACK.length, unit: "bytes" };
  expect(seen).toEqual([10, PACK.length].map((done) => ({ ...progress, done })));
});

test("a pack of another length than announced is never sent whole", async () => {
  for (const packLength of [PACK.length - 1, PACK.length + 1]) {
    const { remote, sent } = receiverOf(REPORT);
    const pack = piecesOf(PACK.subarray(0, 10), PACK.subarray(10));
    await expect(pushPack(remote, { ...ORDER, pack, packLength })).rejects.toThrow(RangeError);
    expect(sent).toEqual([]);
  }
});

test("while a pack makes progress the receiver may take its time, and no longer", async () => {
  const slowly = async function* (pauseMs: number) {
    for (let at = 0; at < PACK.length; at += 10) {
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
      yield PACK.subarray(at, at + 10);
    }
  };
  const { remote } = receiverOf(REPORT, REPORT);
  const order = { ...ORDER, packLength: PACK.length, answerMs: 60 };
  expect(PACK.length / 10).toBeGreaterThan(4);
  await expect(pushPack(remote, { ...order, pack: slowly(25) })).resolves.toMatchObject({
    unpackError: null,
  });
  await expect(pushPack(remote, { ...order, pack: slowly(150) })).rejects.toMatchObject({
    kind: "unavailable",
  });
});
