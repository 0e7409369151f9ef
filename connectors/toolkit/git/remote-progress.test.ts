import { expect, test } from "vitest";
import type { Progress } from "#connectors/contract/platform-connector.ts";
import { parseRemoteProgress } from "./remote-progress.ts";

function parsed(...texts: string[]): Progress[] {
  const seen: Progress[] = [];
  const take = parseRemoteProgress((progress) => void seen.push(progress));
  for (const text of texts) take(text);
  return seen;
}

test("git's progress is read as numbers, with and without a total", () => {
  expect(
    parsed("remote: Counting objects:  45% (9/20)\rEnumerating objects: 31, done.\nTotal 5 (delta 0)\n"),
  ).toEqual([
    { phase: "Counting objects", done: 9, total: 20, unit: "objects" },
    { phase: "Enumerating objects", done: 31, total: null, unit: "objects" },
  ]);
});

test("a line may arrive in pieces, and counts only once it has ended", () => {
  expect(parsed("Counting obj", "ects: 7")).toEqual([]);
  expect(parsed("Counting obj", "ects: 7", "\r\n")).toMatchObject([{ done: 7 }]);
});

test("of an endless line only the last kibibyte is kept", () => {
  const start = "Counting objects: 7";
  const phaseOf = (length: number) => parsed(start.padEnd(length), "\n").map(({ phase }) => phase);
  expect(phaseOf(1_024)).toEqual(["Counting objects"]);
  expect(phaseOf(1_025)).toEqual(["ounting objects"]);
});

test("lines in which git says why it stops are given apart from its progress", () => {
  const faults: string[] = [];
  const take = parseRemoteProgress(
    () => undefined,
    (line) => void faults.push(line),
  );
  take("remote: error: inflate: data stream error\nCounting objects: 7\nfatal: loose object 12 is corr");
  take("upt\nfatally: no\n");
  expect(faults).toEqual(["error: inflate: data stream error", "fatal: loose object 12 is corrupt"]);
});
