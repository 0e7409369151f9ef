import { expect, test } from "vitest";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { Progress } from "#connectors/contract/platform-connector.ts";
import { DELIM_PKT } from "./pkt-line.ts";
import { createPktStream } from "./pkt-stream.ts";
import { type PushReport, readPushReport } from "./push-report.ts";
import { band, pktLines, readerOf } from "./test-remote.ts";

const MAIN = "refs/heads/main";

/** Reads a report from side-bands: its own lines, after the server's messages. */
async function report(
  lines: readonly string[],
  {
    messages = [] as string[],
    refs = [MAIN],
    onProgress = undefined as ((p: Progress) => void) | undefined,
  } = {},
): Promise<PushReport> {
  const inner = pktLines(...lines.map((line) => `${line}\n`));
  const body = pktLines(...messages.map((text) => band(2, text)), band(1, inner));
  return await readPushReport(createPktStream(readerOf(body)), refs, true, onProgress);
}

async function refusal(reason: string, messages: string[] = []) {
  const { refs } = await report(["unpack ok", `ng ${MAIN} ${reason}`], { messages });
  return refs[0] as { cause: string; reason: string };
}

test.each([
  ["deny updating a hidden ref", "hidden-ref"],
  ["unpack failed: fsck error in packed object", "unsound-objects"],
  ["funny refname", "outside-folders"],
  ["GH008: unknown objects", "missing-lfs-object"],
  ["an LFS object is missing", "missing-lfs-object"],
  ["refusing to allow an OAuth App to create or update workflow x", "workflow-permission"],
  ["needs a token without `workflow` scope", "workflow-permission"],
  ["needs a token without workflows permission", "workflow-permission"],
  ["GH009: secrets detected", "push-protection"],
  ["GH013: rule violations", "push-protection"],
  ["push protection is on", "push-protection"],
  ["push declined due to repository rule violations", "push-protection"],
  ["push declined due to secret", "push-protection"],
  ["GH001: large files", "file-too-large"],
  ["x exceeds GitHub's file size limit", "file-too-large"],
  ["object too large", "file-too-large"],
  ["GH006: no", "protected-ref"],
  ["protected branch hook declined", "protected-ref"],
  ["pre-receive hook declined", "protected-ref"],
  ["non-fast-forward", "non-fast-forward"],
  ["fetch first", "non-fast-forward"],
  ["failed to update ref", "other"],
])("a refusal with the words '%s' has the cause %s", async (reason, cause) => {
  expect(await refusal(reason)).toMatchObject({ cause, reason });
});

test("a report without side-bands is read from its lines", async () => {
  const pkts = createPktStream(
    readerOf(pktLines("unpack ok\n", `ok ${MAIN}\n`, "ng refs/heads/b no room\n")),
  );
  expect(await readPushReport(pkts, [MAIN, "refs/heads/b"], false)).toEqual({
    unpackError: null,
    refs: [
      { ref: MAIN, isUpdated: true },
      { ref: "refs/heads/b", isUpdated: false, cause: "other", reason: "no room" },
    ],
    messages: "",
  });
});

test("the results have the order of the commands; a refusal without words and silence are told", async () => {
  const { refs } = await report(
    ["unpack ok", "ng refs/heads/b", `ok ${MAIN}`, "ok refs/heads/c with words"],
    {
      refs: [MAIN, "refs/heads/b", "refs/heads/c", "refs/heads/d"],
    },
  );
  expect(refs).toEqual([
    { ref: MAIN, isUpdated: true },
    { ref: "refs/heads/b", isUpdated: false, cause: "other", reason: "refused" },
    { ref: "refs/heads/c", isUpdated: true },
    {
      ref: "refs/heads/d",
      isUpdated: false,
      cause: "not-reported",
      reason: "The git server said nothing about this ref.",
    },
  ]);
});

test("a pack that the server could not take refuses every ref, with the best known cause", async () => {
  const failed = await report(["unpack index-pack failed", `ok ${MAIN}`, "ng refs/heads/b unpacker error"], {
    refs: [MAIN, "refs/heads/b"],
  });
  expect(failed).toMatchObject({
    unpackError: "index-pack failed",
    refs: [
      { isUpdated: false, cause: "unpack-failed", reason: "refused: index-pack failed" },
      { isUpdated: false, cause: "unpack-failed", reason: "unpacker error: index-pack failed" },
    ],
  });
  const unsound = await report(["unpack fsck error"]);
  expect(unsound.refs[0]).toMatchObject({ cause: "unsound-objects", reason: "refused: fsck error" });
});

test("the server's error lines about this ref or about none explain a refusal, each once", async () => {
  const messages = [
    "remote: error: GH013: Rules for refs/heads/main.\nremote: error: GH013: Rules for refs/heads/main.\n",
    "remote: fatal: the end\nerror: about refs/heads/other\nwarning: no error\nGH123 seen\nrefusing to allow x\n",
    "errors: many\n",
  ];
  const { reason, cause } = await refusal("declined", messages);
  expect(reason).toBe(
    "declined · error: GH013: Rules for refs/heads/main. · fatal: the end · GH123 seen · refusing to allow x",
  );
  expect(cause).toBe("push-protection");
  expect((await refusal("declined", [`error: ${"x".repeat(900)}\n`])).reason).toHaveLength(600);
});

test("messages are kept without progress, the last sixteen kibibytes, also when a line ends late", async () => {
  const seen: Progress[] = [];
  const told = await report(["unpack ok", `ok ${MAIN}`], {
    messages: ["Hello\r\n\nResolving deltas:  50% (1/", "2)\rResolving deltas: done\nwor", "ld"],
    onProgress: (progress) => seen.push(progress),
  });
  expect(told.messages).toBe("Hello\nResolving deltas: done\nworld\n");
  expect(seen).toEqual([{ phase: "Resolving deltas", done: 1, total: 2, unit: "objects" }]);
  const long = Array.from({ length: 40 }, (_, i) => `${String(i).padStart(3, "0")} ${"x".repeat(995)}\n`);
  const { messages } = await report(["unpack ok", `ok ${MAIN}`], { messages: long });
  expect(messages).toBe(long.join("").slice(-16 * 1024));
  const endless = await report(["unpack ok", `ok ${MAIN}`], { messages: ["y".repeat(30_000)] });
  expect(endless.messages).toBe(`${"y".repeat(16 * 1024 - 1)}\n`);
});

test("a report may be split anywhere between side-band lines", async () => {
  const inner = pktLines("unpack ok\n", `ok ${MAIN}\n`);
  const pieces = Array.from(inner, (_, at) => band(1, inner.subarray(at, at + 1)));
  const read = await readPushReport(createPktStream(readerOf(pktLines(...pieces))), [MAIN], true);
  expect(read.refs).toEqual([{ ref: MAIN, isUpdated: true }]);
  const cut = createPktStream(readerOf(pktLines(...pieces.slice(0, -1))));
  await expect(readPushReport(cut, [MAIN], true)).rejects.toMatchObject({ kind: "unavailable" });
});

test.each<[string, Uint8Array, string, RegExp]>([
  ["a body that ends before the report", pktLines(band(2, "hi\n")).subarray(0, -4), "unavailable", /cut off/],
  ["a separator", Buffer.concat([DELIM_PKT, pktLines()]), "malformed", /is broken/],
  ["a fatal message", pktLines(band(3, "disk full")), "unavailable", /reports: disk full$/],
  ["an unknown side-band", pktLines(band(4, "x")), "malformed", /unknown side-band/],
  ["no word about the pack", pktLines(band(1, pktLines(`ok ${MAIN}\n`))), "malformed", /took the pack/],
])("%s is an error", async (_, body, kind, words) => {
  const error = await readPushReport(createPktStream(readerOf(body)), [MAIN], true).catch((cause) => cause);
  expect(error).toBeInstanceOf(ConnectorError);
  expect([error.kind, error.message]).toEqual([kind, expect.stringMatching(words)]);
});
