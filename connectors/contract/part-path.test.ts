import { expect, test } from "vitest";
import { type Part, partPathOf, readPartPath } from "./part-path.ts";

test("every part is read back from its text", () => {
  const parts: Part[] = [
    { type: "entry", path: "issues/000000000001/issue.json" },
    { type: "all", kind: "label" },
    { type: "file", tree: "git", ref: "refs/heads/main", path: "src/a.ts" },
    { type: "file", tree: "git", ref: "refs/tags/v1", path: "odd: name\n/:all:" },
  ];
  for (const part of parts) expect(readPartPath(partPathOf(part))).toEqual(part);
});

test("a text that names no part is the path of an entry", () => {
  for (const path of ["", ":", ":file:", ":file:git", ":file:git:refs/heads/main:", "labels/1.json"])
    expect(readPartPath(path)).toEqual({ type: "entry", path });
});
