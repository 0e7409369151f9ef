import { expect, test } from "vitest";
import { insideOf, type LeftOut, leftOutOf, placeOf } from "./describe-cover.ts";

const KINDS = { card: { one: "card", many: "cards" }, file: { one: "file", many: "files" } };

test("counts are in the order of the platform's kinds, and a kind without entries or a name is absent", () => {
  expect(insideOf(KINDS, { file: 1, card: 1_204, secret: 3 }, "board")).toEqual(["1,204 cards", "1 file"]);
  expect(insideOf(KINDS, { card: 0, file: 1 }, "file")).toBeUndefined();
});

test("what was left out is named by kind once; a complete version has no such fact", () => {
  const skip = (kind: string, path: string): LeftOut => ({ kind, path, reason: "x".repeat(500) });
  const skipped = [skip("file", "files/1"), skip("file", "files/2"), skip("git-history", "git/")];
  const leftOut = leftOutOf(KINDS, skipped, 1_500);
  expect(leftOut).toMatchObject({ kinds: ["files", "git history"], count: 1_500 });
  expect(leftOut?.things[0]?.reason).toHaveLength(300);
  const many = Array.from({ length: 1_000 }, (_, at) => skip("file", `files/${at}`));
  expect(leftOutOf(KINDS, many, 1_000)?.things).toHaveLength(20);
  expect(leftOutOf(KINDS, [], 0)).toBeUndefined();
});

test("the place is what precedes the name", () => {
  expect(placeOf("group/sub/project")).toBe("group/sub");
  expect(placeOf("Harbour Works/Quay \u2215 3 (x1)")).toBe("Harbour Works");
  expect(placeOf("Quay (x1)")).toBeUndefined();
});
