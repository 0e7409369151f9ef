import { expect, test } from "vitest";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import { DELIM_PKT, encodePkt } from "./pkt-line.ts";
import { createPktStream, cutOff, isRefsMoved, serverError, textOf } from "./pkt-stream.ts";
import { pktLines, readerOf } from "./test-remote.ts";

test("a server's message becomes one readable line of at most three hundred characters", () => {
  const { message, kind } = serverError("aborting due to\n possible corruption.\0");
  expect([message, kind]).toEqual([
    "The git server reports: aborting due to possible corruption.",
    "unavailable",
  ]);
  expect(serverError(` ${"x".repeat(400)}`).message).toBe(`The git server reports: ${"x".repeat(300)}`);
});

test.each([
  ["upload-pack: not our ref 1234", "unavailable", true],
  ["not a valid object name", "unavailable", true],
  ["Server does not allow request for unadvertised object", "unavailable", true],
  ["no such remote ref", "unavailable", true],
  ["no such ref", "unavailable", true],
  ["API rate limit exceeded", "unavailable", false],
  ["Too many requests for this repository not found", "unavailable", false],
  ["access denied or repository not exported", "forbidden", false],
  ["You have no permission: repository not found", "forbidden", false],
  ["Repository not found", "gone", false],
  ["repository '/x.git' not exported", "gone", false],
  ["repository x does not exist", "gone", false],
  ["the project does not exist", "gone", false],
  ["fatal: out of disk", "unavailable", false],
])("the message %s means %s, and that the refs moved: %s", (text, kind, hasMoved) => {
  const error = serverError(text);
  expect([error.kind, isRefsMoved(error)]).toEqual([kind, hasMoved]);
});

test("only an error that says so means that the refs moved", () => {
  const marked = (value: unknown) =>
    Object.assign(new ConnectorError("unavailable", "x"), { refsMoved: value });
  expect(isRefsMoved(marked(true))).toBe(true);
  expect(isRefsMoved(marked(false))).toBe(false);
  expect(isRefsMoved(Object.assign(new Error("x"), { refsMoved: true }))).toBe(false);
  expect(isRefsMoved(cutOff())).toBe(false);
  expect(serverError("not our ref 1").name).toBe("GitRefGoneError");
});

test("a line is kept letter by letter, without its line feed: a name may begin with a byte order mark", () => {
  const lineOf = (text: string) => textOf(new TextEncoder().encode(text));
  expect(lineOf("\ufeffmain\n")).toBe("\ufeffmain");
  expect(lineOf("two\n\n")).toBe("two\n");
  expect(lineOf("none")).toBe("none");
  expect(lineOf("")).toBe("");
});

test("lines arrive in order across pieces, those at hand without waiting, and end with the body", async () => {
  const bytes = Buffer.concat([pktLines("one\n", "two\n"), DELIM_PKT]);
  const pkts = createPktStream(readerOf(bytes.subarray(0, 10), bytes.subarray(10)));
  expect(pkts.buffered()).toBeNull();
  const seen: string[] = [];
  for (let pkt = await pkts.next(); pkt !== null; pkt = pkts.buffered() ?? (await pkts.next()))
    seen.push(pkt.type === "data" ? textOf(pkt.bytes) : pkt.type);
  expect(seen).toEqual(["one", "two", "flush", "delim"]);
});

test("an end inside a line is a cut, and an error line throws wherever it stands", async () => {
  const cut = createPktStream(readerOf(encodePkt("whole line\n").subarray(0, -1)));
  await expect(cut.next()).rejects.toMatchObject({ kind: "unavailable", message: cutOff().message });
  const told = createPktStream(readerOf(pktLines("fine\n", "ERR repository not found\n")));
  await told.next();
  expect(() => told.buffered()).toThrow("The git server reports: repository not found");
  for (const harmless of ["ERROR x\n", "xERR x\n", "ERR\n", "ER R x\n", "RRR x\n", "ExR x\n", "ERx x\n"]) {
    const pkt = await createPktStream(readerOf(pktLines(harmless))).next();
    expect(pkt?.type).toBe("data");
  }
});
