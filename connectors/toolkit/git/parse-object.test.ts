import { expect, test } from "vitest";
import { parseCommit, parseTag, parseTree } from "./parse-object.ts";
import { treeBytes } from "./test-packs.ts";

const [A, B, C] = ["a", "b", "c"].map((digit) => digit.repeat(40)) as [string, string, string];
const AUTHOR = "author Ada Lovelace <ada@example.test> 1700000000 +0200";
const COMMITTER = "committer Bob <bob@example.test> 1700000001 -0700";

const commit = (...lines: string[]) => parseCommit(Buffer.from(lines.join("\n"), "latin1"), "sha1");
const authorOf = (line: string) => commit(`tree ${A}`, line, COMMITTER, "", "m").author;

test("a commit has its tree, its parents, both people and its message", () => {
  const lines = [`tree ${A}`, `parent ${B}`, `parent ${C}`, AUTHOR, COMMITTER, "", "Title", "", "Body", ""];
  expect(commit(...lines)).toEqual({
    tree: A,
    parents: [B, C],
    author: { name: "Ada Lovelace", email: "ada@example.test", at: 1_700_000_000_000 },
    committer: { name: "Bob", email: "bob@example.test", at: 1_700_000_001_000 },
    message: "Title\n\nBody\n",
  });
});

test("a commit without a tree, or with something else in its place, is refused", () => {
  const malformed = expect.objectContaining({ code: "malformed" });
  for (const lines of [["parent x", ""], ["tree ", ""], [`tree ${A}0`, ""], [`tree ${A.slice(1)}`, ""], [""]])
    expect(() => commit(...lines)).toThrow(malformed);
  expect(() => parseCommit(Buffer.from(`tree ${A}\n\n`), "sha256")).toThrow(malformed);
});

test("a parent that is no object name is left out", () => {
  expect(commit(`tree ${A}`, "parent nothing", `parent ${B}`, "", "m").parents).toEqual([B]);
});

test("the lines of a signature are no headers, and a header line without a value is none either", () => {
  const signed = [
    `tree ${A}`,
    "gpgsig -----BEGIN",
    ` tree ${B}`,
    ` parent ${C}`,
    " author X <x> 5",
    "lonely",
  ];
  const parsed = commit(...signed, AUTHOR, COMMITTER, "", "parent of all");
  expect(parsed).toMatchObject({ tree: A, parents: [], message: "parent of all" });
  expect(parsed.author.name).toBe("Ada Lovelace");
});

test("a commit without a message or without people is still read", () => {
  expect(commit(`tree ${A}`)).toEqual({
    tree: A,
    parents: [],
    author: { name: "", email: "", at: 0 },
    committer: { name: "", email: "", at: 0 },
    message: "",
  });
  expect(commit(`tree ${A}`, "", "").message).toBe("");
});

test.each([
  ["author Ada <ada@example.test> 5 +0000", "Ada", "ada@example.test", 5_000],
  ["author Ada <ada@example.test> 5", "Ada", "ada@example.test", 5_000],
  ["author Ada <ada@example.test>", "Ada", "ada@example.test", 0],
  ["author <ada@example.test> 5 +0000", "", "ada@example.test", 5_000],
  ["author  Ada  <> 5 +0000", "Ada", "", 5_000],
  ["author Ada <ada@example.test> -5 +0000", "Ada", "ada@example.test", 0],
  [`author Ada <a> ${"9".repeat(30)} +0000`, "Ada", "a", 8.64e15],
  [`author Ada <a> ${"9".repeat(400)} +0000`, "Ada", "a", 0],
  ["author nobody", "", "", 0],
])("%s is read as far as it makes sense", (line, name, email, at) => {
  expect(authorOf(line)).toEqual({ name, email, at });
});

test("a message is read in the encoding that the commit names, else as UTF-8", () => {
  const message = (encoding: string[], text: string) => commit(`tree ${A}`, ...encoding, "", text).message;
  expect(message(["encoding iso-8859-1"], "gr\xfc\xdfe")).toBe("grüße");
  expect(message([], Buffer.from("grüße").toString("latin1"))).toBe("grüße");
  expect(message(["encoding klingon"], Buffer.from("grüße").toString("latin1"))).toBe("grüße");
});

test("a tag has its object and its message, and without an object it is refused", () => {
  const tag = (text: string) => parseTag(Buffer.from(text), "sha1");
  const told = tag(`object ${B}\ntype commit\ntag v1\ntagger Ada <a> 5 +0000\n\nRelease grüße\n`);
  expect(told).toEqual({ object: B, message: "Release grüße\n" });
  for (const text of ["type commit\n\nx", `object ${B.slice(1)}\n\nx`, ""])
    expect(() => tag(text)).toThrow(expect.objectContaining({ code: "malformed" }));
});

test("a tree keeps the order, kind, name and object of its entries", () => {
  const bytes = treeBytes(
    ["40000", "folder", A],
    ["100644", "plain file.txt", B],
    ["100755", "run.sh", C],
    ["100645", "others may run it", C],
    ["120000", "link", A],
    ["160000", "module", B],
    ["040755", "old folder", C],
    ["120777", "old link", A],
  );
  const entries = parseTree(bytes, "sha1");
  expect(entries.map(({ kind, name, isExecutable }) => `${kind} ${name}${isExecutable ? "*" : ""}`)).toEqual([
    "folder folder",
    "file plain file.txt",
    "file run.sh*",
    "file others may run it",
    "link link",
    "submodule module",
    "folder old folder",
    "link old link",
  ]);
  expect(entries.map(({ oid }) => oid[0]).join("")).toBe("abccabca");
  expect(parseTree(Buffer.alloc(0), "sha1")).toEqual([]);
  const long = treeBytes(["100644", "x", "d".repeat(64)]);
  expect(parseTree(long, "sha256")[0]?.oid).toBe("d".repeat(64));
});

test("a tree that is cut off anywhere is refused", () => {
  const bytes = treeBytes(["100644", "one", A], ["100644", "two", B]);
  const ends = [0, bytes.length / 2, bytes.length];
  for (let length = 0; length <= bytes.length; length++) {
    const parse = () => parseTree(bytes.subarray(0, length), "sha1");
    if (ends.includes(length)) expect(parse()).toHaveLength(ends.indexOf(length));
    else expect(parse).toThrow(expect.objectContaining({ code: "malformed" }));
  }
});
