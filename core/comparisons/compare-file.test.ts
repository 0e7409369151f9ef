import { expect, test } from "vitest";
import type { FileNode, FileTree } from "#connectors/contract/file-tree.ts";
import { compareFile } from "./compare-file.ts";

type File = { kind?: FileNode["kind"]; bytes: Uint8Array | string; isExecutable?: boolean };

/** A tree with its files at the root. Records how many of their bytes are read. */
function treeOf(files: Record<string, File>, read: string[] = []): FileTree {
  const bytesOf = ({ bytes }: File) => (typeof bytes === "string" ? Buffer.from(bytes) : bytes);
  const byId = new Map(
    Object.values(files).map((file) => [Buffer.from(bytesOf(file)).toString("hex"), file]),
  );
  return {
    obstacle: null,
    refs: [],
    async find(_, path) {
      const file = files[path];
      if (!file) return null;
      const id = Buffer.from(bytesOf(file)).toString("hex");
      return { name: path, kind: file.kind ?? "file", isExecutable: file.isExecutable ?? false, id };
    },
    list: async () => [],
    sizeOf: async (id) => bytesOf(byId.get(id)!).length,
    async *read(id) {
      read.push(id);
      yield bytesOf(byId.get(id)!);
    },
    has: async () => true,
    async *history() {},
  };
}

const compare = (before: Record<string, File>, after: Record<string, File>, read?: string[]) =>
  compareFile({ tree: treeOf(before, read), id: "a" }, { tree: treeOf(after, read), id: "b" }, "f");
const file = (bytes: File["bytes"], more: Partial<File> = {}) => ({ f: { bytes, ...more } });

test("a changed text is compared line by line, an added or removed one as a whole", async () => {
  const changed = await compare(file("one\ntwo\n"), file("one\n2\n"));
  expect(changed).toMatchObject({
    change: "changed",
    before: { sizeBytes: 8 },
    after: { sizeBytes: 6 },
    body: { type: "text", difference: { parts: [[{ text: "one" }, { text: "two" }, { text: "2" }]] } },
  });
  for (const [compared, change] of [
    [await compare({}, file("one\n")), "added"],
    [await compare(file("one\n"), {}), "removed"],
  ] as const)
    expect(compared).toMatchObject({
      change,
      body: { type: "text", difference: { parts: [[{ change, line: 1 }]] } },
    });
  expect(await compare({}, {})).toBeNull();
});

test("a binary file or image is reported as not text", async () => {
  const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1]);
  for (const bytes of [Buffer.from([0, 1, 2]), Buffer.from([0xff, 0xfe, 0x41]), png])
    expect((await compare(file("text"), file(bytes)))?.body).toEqual({ type: "binary" });
});

test("a file too large for a page is not read", async () => {
  const read: string[] = [];
  const large = file("x".repeat(256 * 1024 + 1));
  expect((await compare(file("small"), large, read))?.body).toEqual({ type: "large" });
  expect(read).toEqual([]);
});

test("a file with unchanged bytes is reported as equal", async () => {
  const compared = await compare(file("same"), file("same", { isExecutable: true }));
  expect(compared).toMatchObject({
    before: { isExecutable: false },
    after: { isExecutable: true },
    body: { type: "same" },
  });
});

test("links and submodules are compared by their targets", async () => {
  const link = (target: string) => file(target, { kind: "link" });
  expect((await compare(link("a/b"), link("../../etc/passwd")))?.body).toEqual({
    type: "target",
    before: "a/b",
    after: "../../etc/passwd",
  });
  expect((await compare(file("text"), link("a")))?.body).toEqual({
    type: "target",
    before: null,
    after: "a",
  });
  const module = await compare({}, file("commit", { kind: "submodule" }));
  expect(module?.body).toMatchObject({ type: "target", before: null });
});
