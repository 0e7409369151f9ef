import { expect, test } from "vitest";
import { diffText, wholeText } from "./diff-text.ts";

const flat = (before: string, after: string) => diffText(before, after)!.parts.flat();
const said = (before: string, after: string) =>
  flat(before, after).map(({ change, text, mark }) => [change, text, mark && text.slice(...mark)]);

test("changes within a line are marked only if equally many lines were added and removed", () => {
  expect(said("give up after one attempt\n", "give up after three attempts\n")).toEqual([
    ["removed", "give up after one attempt", "one attempt"],
    ["added", "give up after three attempts", "three attempts"],
  ]);
  expect(said("a = 1;\nb = 2;\n", "a = 10;\nb = 2;\n")).toEqual([
    ["removed", "a = 1;", ""],
    ["added", "a = 10;", "0"],
    ["same", "b = 2;", null],
  ]);
  expect(said("old\n", "new\nlines\n").map(([, , mark]) => mark)).toEqual([null, null, null]);
});

test("a surrogate pair is never split by a mark or a cut", () => {
  const [gone, come] = flat("x😀y\n", "x😁y\n");
  expect([gone!.text.slice(...gone!.mark!), come!.text.slice(...come!.mark!)]).toEqual(["😀", "😁"]);
  const long = "😀".repeat(2_000);
  for (const piece of flat(`${long}a${long}\n`, `${long}b${long}\n`))
    expect(piece.text.isWellFormed()).toBe(true);
});

test("a very long line is shortened around its change", () => {
  const side = "x".repeat(100_000);
  const [gone, come] = flat(`${side}OLD${side}`, `${side}NEW${side}`);
  for (const [piece, word] of [
    [gone!, "OLD"],
    [come!, "NEW"],
  ] as const) {
    expect(piece.text.length).toBeLessThanOrEqual(500);
    expect(piece.text.slice(...piece.mark!)).toBe(word);
    expect([piece.isCutStart, piece.isCutEnd]).toEqual([true, true]);
  }
});

test("changed line endings are reported once; a single one among others is shown unchanged", () => {
  expect(diffText("a\r\nb\r\n", "a\nb\n")).toEqual({ parts: [], isCut: false, areBreaksChanged: true });
  expect(diffText("a\r\nb\r\n", "a\r\nc\r\n")).toMatchObject({ areBreaksChanged: false });
  expect(said("a\nb\n", "a\r\nb\n")).toEqual([
    ["removed", "a", ""],
    ["added", "a\r", "\r"],
    ["same", "b", null],
  ]);
  expect(flat("a", "a\n").map(({ change, isUnended }) => [change, isUnended])).toEqual([
    ["removed", true],
    ["added", false],
  ]);
});

test("the result stays short for any two texts and says when it was cut", () => {
  const lines = (word: string) => Array.from({ length: 480 }, (_, at) => `${at % 2 ? word : "same"} ${at}`);
  const spread = diffText(
    lines("old")
      .flatMap((line) => [line, "", "", "", "", "", ""])
      .join("\n"),
    lines("new")
      .flatMap((line) => [line, "", "", "", "", "", ""])
      .join("\n"),
  )!;
  expect(spread.isCut).toBe(true);
  expect(spread.parts.flat()).toHaveLength(1_500);
  expect(diffText("a".repeat(300_000), "b")).toBeNull();
});

test("an added or removed text is listed from its first line", () => {
  expect(wholeText("", "added")).toEqual({ parts: [], isCut: false, areBreaksChanged: false });
  expect(wholeText("a\r\nb\r\n", "removed")!.parts[0]!.map(({ line, text }) => [line, text])).toEqual([
    [1, "a"],
    [2, "b"],
  ]);
  const long = wholeText("x\n".repeat(5_000), "added")!;
  expect([long.parts[0]!.length, long.isCut]).toEqual([1_500, true]);
  expect(wholeText("x\n".repeat(1_500), "added")!.isCut).toBe(false);
});
