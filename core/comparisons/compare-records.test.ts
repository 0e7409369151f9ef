import { expect, test } from "vitest";
import { compareRecord, diffFields } from "./compare-record.ts";
import { diffText } from "./diff-text.ts";

test("only changed fields are listed, by path", () => {
  const before = { title: "Fix", state: "open", user: { login: "ada" }, labels: ["bug"], same: 1 };
  const after = {
    title: "Fix",
    state: "closed",
    user: { login: "grace" },
    labels: ["bug", "late"],
    same: 1,
    new: true,
  };
  expect(diffFields(before, after).map(({ name, before: old, after: young }) => [name, old, young])).toEqual([
    ["state", "open", "closed"],
    ["user.login", "ada", "grace"],
    ["labels", '["bug"]', '["bug","late"]'],
    ["new", null, "true"],
  ]);
});

test("a long text is compared line by line with context", () => {
  const lines = Array.from({ length: 20 }, (_, at) => `line ${at + 1} of a longer text`);
  const changed = lines.map((line, at) => (at === 9 ? "another line" : line));
  const { parts, isCut } = diffText(lines.join("\n"), changed.join("\n"))!;
  const [hunk] = parts;
  expect(isCut).toBe(false);
  expect(hunk!.map(({ change, line }) => `${change} ${line}`)).toEqual([
    "same 7",
    "same 8",
    "same 9",
    "removed 10",
    "added 10",
    "same 11",
    "same 12",
    "same 13",
  ]);
  expect(diffFields({ body: lines.join("\n") }, { body: changed.join("\n") })[0]?.text?.parts).toHaveLength(
    1,
  );
});

test("texts that are too long or too different are not compared line by line", () => {
  expect(diffText("a".repeat(300_000), "b")).toBeNull();
  const other = (letter: string) => Array.from({ length: 5_000 }, (_, at) => `${letter}${at}`).join("\n");
  expect(diffText(other("a"), other("b"))).toBeNull();
});

test("a record that only the backup reads cannot be compared by its path", async () => {
  const words = { issue: { one: "issue", many: "issues" } };
  const version = (kind: string, state: string) => ({
    find: async (path: string) => ({ path, kind, type: "record" as const, sizeBytes: 20, hash: "00" }),
    readRecord: async () => ({ state }),
  });
  const path = "git/lfs/0001-0001.json";
  const compare = (kind: string) =>
    compareRecord(version(kind, "open"), version(kind, "closed"), { path, words });
  expect((await compare("issue")).fields).toMatchObject([{ name: "state", before: "open", after: "closed" }]);
  for (const kind of ["git-lfs", "git-refs", "git-chain", "state"])
    await expect(compare(kind)).rejects.toMatchObject({ code: "err.not.found" });
});
