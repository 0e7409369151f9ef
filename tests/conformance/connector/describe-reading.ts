import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { ExportFile } from "#connectors/contract/platform-connector.ts";
import { runGit } from "#connectors/toolkit/simulator/run-git.ts";
import { zipFiles } from "#core/exports/zip-files.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { fromUtf8 } from "#core/kernel/crypto.ts";
import { UnreadableCursorError } from "#core/kernel/stored-json.ts";
import { type MemorySnapshot, runVerify, WHOLE_CHECK } from "../memory-snapshot.ts";
import { treesOf } from "../trees-of.ts";
import type { Suite } from "./suite.ts";
import { bytesOf } from "./zip-of.ts";

const UNSAFE_PATH = /(^|\/)\.\.?(\/|$)|^\/|\\|\0/;

/** Using a version without its platform: verify, open, clone and browse. */
export function describeReading(name: string, suite: Suite): void {
  const { connector, world } = suite;
  const take = async () => await suite.backUp(await suite.getItem(world().item));
  const verify = async (snapshot: MemorySnapshot) => {
    if (connector.verify === undefined) return null;
    return await runVerify(snapshot, connector.verify(snapshot, WHOLE_CHECK));
  };

  test(`${name}: a check of a version resumes from every checkpoint, and a repeated one is free`, async () => {
    const snapshot = await take();
    const proof = await verify(snapshot);
    if (proof === null) return expect(connector.verify).toBeUndefined();
    expect([proof.problems, proof.unproven]).toEqual([[], []]);
    for (const cursor of proof.checkpoints) {
      const other = await take();
      // Companions from before the checkpoint exist already.
      for (const [key, bytes] of snapshot.companions) other.companions.set(key, bytes);
      const rest = await runVerify(other, connector.verify!(other, { ...WHOLE_CHECK, cursor }));
      expect([rest.problems, rest.found]).toEqual([[], proof.found]);
    }
    expect((await verify(snapshot))?.found).toEqual(proof.found);
  });

  test(`${name}: a check refuses a cursor of another release`, async () => {
    const snapshot = await take();
    const checkpoints = (await verify(snapshot))?.checkpoints ?? [];
    const own = checkpoints
      .slice(0, 1)
      .map((cursor) => ({ ...(cursor as { [key: string]: Json }), version: 99 }));
    for (const cursor of own.length === 0 ? [] : [...own, { x: 1 }, [], "cursor", 7]) {
      const proof = runVerify(snapshot, connector.verify!(snapshot, { ...WHOLE_CHECK, cursor }));
      await expect(proof, JSON.stringify(cursor)).rejects.toThrow(UnreadableCursorError);
    }
  });

  test(`${name}: damage to any stored pack, or a missing pack, is detected`, async () => {
    if (connector.verify === undefined) return;
    const packs = [...(await take()).entries.values()].filter(({ info }) => info.kind === "git-pack");
    for (const { info } of packs) {
      const damaged = await take();
      const entry = damaged.entries.get(info.path)!;
      const middle = Math.floor(entry.bytes.length / 2);
      entry.bytes[middle] = (entry.bytes[middle] ?? 0) ^ 0xff;
      expect((await verify(damaged))?.problems, info.path).not.toEqual([]);
      const shorter = await take();
      shorter.entries.delete(info.path);
      const outcome = await verify(shorter).then(
        (proof) => proof?.problems.join("\n") ?? "",
        (error: Error) => error.message,
      );
      expect(outcome, info.path).toMatch(/pack/);
    }
  });

  test(`${name}: the open files of a version have safe, unique paths, existing bytes and valid JSON`, async () => {
    const item = await suite.getItem(world().item);
    const snapshot = await take();
    await verify(snapshot);
    for (const hostile of [
      `../${item.name}/`,
      "..",
      "/etc/passwd",
      "CON",
      "a\nb",
      "\u202egnp.exe",
      "-rf",
      "",
    ]) {
      const paths = new Set<string>();
      for await (const file of connector.exportFiles(snapshot, { name: hostile })) {
        expect(file.path).not.toMatch(UNSAFE_PATH);
        // biome-ignore lint/suspicious/noControlCharactersInRegex: They must not be there.
        expect(file.path).not.toMatch(/[\u0000-\u001f\u202a-\u202e\u2066-\u2069]/u);
        expect(paths.has(file.path.toLowerCase()), file.path).toBe(false);
        paths.add(file.path.toLowerCase());
        const bytes = await bytesOf(snapshot, file);
        if (file.path.endsWith(".json")) expect(() => JSON.parse(bytes?.toString() ?? "")).not.toThrow();
      }
      expect(paths.size).toBeGreaterThan(1);
    }
  });

  test(`${name}: the page of a ZIP shows every view and links only to files in the ZIP`, async () => {
    const item = await suite.getItem(world().item);
    const snapshot = await take();
    await verify(snapshot);
    const views = (await connector.views?.(snapshot)) ?? [];
    const facts = {
      item,
      snapshot: { takenAt: 1, verifiedAt: 2, verifyState: "verified", skippedCount: 1, manifestId: "m" },
      skipped: [],
    };
    const handedOver = new Map<string, unknown>();
    const paths = new Set<string>();
    for await (const file of zipFiles(connector, snapshot, facts)) {
      expect(paths.has(file.path), file.path).toBe(false);
      paths.add(file.path);
      if (file.source !== "bytes" || !file.path.startsWith("viewer/")) continue;
      const run = new Function("holdfast", fromUtf8(file.bytes));
      run((key: string, json: string) => handedOver.set(key, JSON.parse(json)));
    }
    expect(paths.has("index.html")).toBe(views.length > 0);
    for (const [index] of views.entries()) {
      const catalogue = handedOver.get(`${index}/index`) as { obstacle?: string; fileCount: number };
      expect(catalogue.obstacle).toBeUndefined();
      for (let number = 1; number <= catalogue.fileCount; number += 1)
        expect(handedOver.get(`${index}/${number}`)).toBeInstanceOf(Array);
    }
    const files = JSON.stringify([...handedOver.values()]).matchAll(
      /\{"name":"[^"]*","href":"([^"]+)"[^}]*\}/g,
    );
    for (const [file, href] of files)
      if (!file.includes('"isLink":true')) expect(paths, href).toContain(decodeURIComponent(href!));
  });

  test(`${name}: git clones a version, with the same content as our readers`, async () => {
    const item = await suite.getItem(world().item);
    const snapshot = await take();
    await verify(snapshot);
    const folder = mkdtempSync(join(tmpdir(), "holdfast-conformance-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const roots = (await connector.cloneRoots?.(snapshot)) ?? [];
    const trees = await treesOf(connector, snapshot);
    expect(roots.length > 0).toBe(connector.descriptor.supports.gitClone);
    expect(trees.length).toBe(roots.length);
    for (const [index, root] of roots.entries()) {
      const bare = join(folder, `${index}.git`);
      for await (const file of root.files) await writeOut(snapshot, bare, file);
      runGit(bare, ["fsck", "--strict", "--full"]);
      const clone = join(folder, `clone-${index}`);
      runGit(null, ["clone", "-q", bare, clone]);
      const { tree } = trees[index]!;
      expect(tree.obstacle).toBeNull();
      const main = tree.refs.find(({ isDefault }) => isDefault)!;
      expect(runGit(clone, ["rev-parse", "HEAD"]).trim()).toBe(main.id);
      const top = (await tree.find(main.id, ""))!;
      const names = (await tree.list(top.id)).map((node) => node.name);
      expect([...names].sort()).toEqual(
        runGit(clone, ["ls-tree", "-z", "--name-only", "HEAD"]).split("\0").filter(Boolean).sort(),
      );
      for (const path of runGit(clone, ["ls-files", "-z"]).split("\0").filter(Boolean).slice(0, 5)) {
        const node = (await tree.find(main.id, path))!;
        const read: Uint8Array[] = [];
        for await (const chunk of tree.read(node.id)) read.push(chunk.slice());
        expect(Buffer.concat(read).toString()).toBe(runGit(clone, ["cat-file", "blob", `HEAD:${path}`]));
        expect(await tree.sizeOf(node.id)).toBe(Buffer.concat(read).length);
      }
      const history: string[] = [];
      for await (const { id } of tree.history(main.id)) history.push(id);
      expect([...history].sort()).toEqual(runGit(clone, ["rev-list", "HEAD"]).trim().split("\n").sort());
    }
    expect(item.kind).toBe(world().kind);
  });
}

async function writeOut(snapshot: MemorySnapshot, folder: string, file: ExportFile): Promise<void> {
  const path = join(folder, file.path);
  const bytes = await bytesOf(snapshot, file);
  if (bytes === null) mkdirSync(path, { recursive: true });
  else {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, bytes);
  }
}
