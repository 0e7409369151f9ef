import fc from "fast-check";
import { expect, test } from "vitest";
import { gitEnvironment } from "#connectors/toolkit/simulator/git-backend.ts";
import { runGitProcess } from "#connectors/toolkit/simulator/git-process.ts";
import { safeNames } from "#core/exports/zip/safe-names.ts";
import { judgeZip } from "#tests/harness/judge-zip.ts";
import { type MemorySnapshot, runVerify, WHOLE_CHECK } from "../memory-snapshot.ts";
import { treesOf } from "../trees-of.ts";
import type { Suite, UglyNames } from "./suite.ts";
import { zipOf } from "./zip-of.ts";

/** Names of every kind that has broken a backup tool. */
const UGLY = [
  "\u00e9t\u00e9",
  "e\u0301te\u0301",
  "a::b",
  `${"ä".repeat(127)}x`,
  "..a",
  "...",
  "-rf",
  "two\nlines",
  "tab\there",
  "\u202egnp.exe",
  "\u05d0\u200fx",
  "CON",
  "aux.txt",
  "trailing.",
  " space ",
  "😀👩‍👩‍👧",
  "back\\slash",
  "c:d",
  "say \"hi\" & 'bye'",
  "%2e%2e%2f",
  "名前",
  "a*b?<c>|d",
  "README.txt",
  "x".repeat(255),
] as const;

const knownRefNames = new Map<string, boolean>();
/** Item kinds with few files take only the first names of the list. */
const FEWEST_FILES = 8;
const FORBIDDEN_IN_GIT = new Set(["", ".", "..", ".git", "git~1"]);

/** Text of any code points. The library's own `binary` unit builds a map of more than a million of them first. */
const anyLetters = (minLength: number, maxLength: number) => {
  const unit = fc.integer({ min: 0, max: 0x10ffff }).map((point) => String.fromCodePoint(point));
  const wild = fc.string({ unit, minLength, maxLength }).map((name) => name.toWellFormed());
  return fc.oneof(wild, fc.string({ unit: "grapheme", minLength, maxLength }));
};
/** A file name: anything that a git tree may hold. */
const fileName = fc
  .oneof(fc.constantFrom(...UGLY), anyLetters(1, 40))
  .map((name) => name.replaceAll("/", "_").replaceAll("\0", "_"))
  // HFS+ ignores some characters, so git refuses every name that HFS+ could read as ".git".
  .filter(
    (name) => !FORBIDDEN_IN_GIT.has(name.replace(/\p{Cf}/gu, "").toLowerCase()) && !/^\.git/i.test(name),
  )
  .filter((name) => Buffer.byteLength(name) <= 255);
const title = fc
  .oneof(fc.constantFrom(...UGLY), fc.string({ unit: "grapheme", minLength: 1, maxLength: 60 }))
  .map((name) =>
    name
      .toWellFormed()
      .replace(/\p{Cc}/gu, " ")
      .trim(),
  )
  .filter((name) => name !== "");
const refName = fc
  .oneof(fc.constantFrom(...UGLY), fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 }))
  .filter((name) => isRefName(`refs/heads/${name}`) && Buffer.byteLength(name) <= 200 && !name.includes("/"));
const some = <T>(one: fc.Arbitrary<T>, most: number) =>
  fc.uniqueArray(one, { minLength: 2, maxLength: most, selector: (name) => String(name).toLowerCase() });

const uglyNames: fc.Arbitrary<UglyNames> = fc.record({
  files: some(fileName, 8),
  branches: some(refName, 6),
  tags: some(refName, 6),
  titles: some(title, 4),
  pages: some(fileName, 4),
  attachments: some(title, 4),
});

const UGLY_REFS = UGLY.filter((name) => isRefName(`refs/heads/${name}`) && Buffer.byteLength(name) <= 200);
/** All ugly names together, with composed and decomposed letters in the same folder. */
const ALL_AT_ONCE: UglyNames = {
  files: [...UGLY],
  branches: UGLY_REFS,
  tags: UGLY_REFS,
  titles: UGLY.map((name) => name.replace(/\p{Cc}/gu, " ").trim()),
  pages: [...UGLY],
  attachments: UGLY.map((name) => name.replace(/\p{Cc}/gu, " ").trim()),
};

/** Names of every ugly kind, through backup, check, ZIP and restore. */
export function describeNames(name: string, suite: Suite): void {
  const { connector, world } = suite;
  const prove = async (snapshot: MemorySnapshot) => {
    if (connector.verify === undefined) return;
    expect((await runVerify(snapshot, connector.verify(snapshot, WHOLE_CHECK))).problems).toEqual([]);
  };

  test(`${name}: a repository in a ZIP keeps its folder for any item name`, async () => {
    const snapshot = await suite.backUp(await suite.getItem(world().item));
    await prove(snapshot);
    const check = async (itemName: string) => {
      const paths: string[] = [];
      for await (const file of connector.exportFiles(snapshot, { name: itemName })) {
        if (file.path.includes(".git/")) paths.push(file.path);
      }
      expect(paths.length > 0).toBe(connector.descriptor.supports.gitClone);
      expect((await safeNames(paths)).renamed, itemName).toEqual([]);
    };
    for (const itemName of [...UGLY, "", "y".repeat(1_000)]) await check(itemName);
    await fc.assert(fc.asyncProperty(anyLetters(0, 300), check), { numRuns: 50, seed: 20_261_121 });
  });

  test(`${name}: names in any script survive backup, check, ZIP and restore`, async () => {
    await fc.assert(
      fc.asyncProperty(uglyNames, async (names) => {
        const source = await suite.open(await world().makeItem(names));
        const { item } = source;
        const snapshot = await suite.backUp(item, null, source.by);
        expect(snapshot.skipped).toEqual([]);
        await prove(snapshot);
        const verdict = await judgeZip(await zipOf(snapshot, connector.exportFiles(snapshot, item)));
        expect(verdict.names.python).toEqual(verdict.names.unzip);
        expect(verdict.names.bsdtar).toEqual(verdict.names.unzip);
        const before = await readable(suite, snapshot);
        const found = names.files.filter((file) => before.files.includes(file));
        const fewest = !connector.descriptor.supports.gitClone
          ? 0
          : Math.min(FEWEST_FILES, names.files.length);
        expect(found.length).toBeGreaterThanOrEqual(fewest);
        const { item: made } = await suite.restore(snapshot, `names_${Date.now()}`);
        const copy = await suite.open(made);
        const restored = await suite.backUp(copy.item, null, copy.by);
        await prove(restored);
        const back = await readable(suite, restored);
        expect(back.files).toEqual(before.files);
        expect(back.states).toEqual(before.states);
        const titles = titlesOf(restored, world().titledKinds);
        // A single item's restore is one thing that holds everything, and has its own name.
        const kept = world().single ? titles.filter((title) => !title.endsWith(` ${made.name}`)) : titles;
        expect(kept).toEqual(titlesOf(snapshot, world().titledKinds));
      }),
      { numRuns: 2, seed: 20_261_121, endOnFailure: true, examples: [[ALL_AT_ONCE]] },
    );
  }, 240_000);
}

/** What readers see: names at the root of the default branch, and the commit of every branch and tag. */
async function readable({ connector }: Suite, snapshot: MemorySnapshot) {
  const [main] = await treesOf(connector, snapshot);
  if (main === undefined) return { files: [], states: [] };
  const { tree } = main;
  const head = tree.refs.find(({ isDefault }) => isDefault);
  // A tree is readable only with an index; without one only the refs are known.
  const root = head === undefined || tree.obstacle !== null ? null : await tree.find(head.id, "");
  const files = root === null ? [] : (await tree.list(root.id)).map((node) => node.name);
  const states = tree.refs
    .filter(({ kind }) => kind === "branch" || kind === "tag")
    .map((ref) => `${ref.name} ${ref.id}`);
  return { files: [...files].sort(), states };
}

function titlesOf(snapshot: MemorySnapshot, kinds: readonly string[]): string[] {
  return [...snapshot.entries.values()]
    .filter(({ info }) => kinds.includes(info.kind))
    .map(({ info }) => `${info.kind} ${info.title}`)
    .sort();
}

/** Git's own verdict on a ref name. Cached, because each check starts a process. */
function isRefName(name: string): boolean {
  if (/[\n\0]/.test(name)) return false;
  const before = knownRefNames.get(name);
  if (before !== undefined) return before;
  const { status } = runGitProcess({ args: ["check-ref-format", name], env: gitEnvironment() });
  knownRefNames.set(name, status === 0);
  return status === 0;
}
