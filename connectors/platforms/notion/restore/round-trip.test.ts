import fc from "fast-check";
import { expect, test } from "vitest";
import type { Json } from "#core/kernel/canonical-json.ts";
import { pageMention, seedKit, text } from "../simulator/seed-kit.ts";
import { type JsonObject, objectsOf, textOf } from "./json-parts.ts";
import { openRestoreBench, type RestoreBench } from "./test-bench.ts";
import { expectedOf, outlineOf } from "./test-outline.ts";

test("a workspace with a block and a property of every kind comes back but for the declared losses", async () => {
  const bench = await openRestoreBench();
  const fleet = await bench.happen("pages", { title: "Quay 7", content: "fleet" });
  const all = await bench.happen("pages", { title: "All there is", content: "everything" });
  const snapshot = await bench.backUp();
  const { item } = await bench.whole(snapshot, "Back again");
  const { world } = bench.simulator;
  const tops = world.state.children[item.externalId]!;
  const named = (title: string) =>
    tops.find((id) => JSON.stringify(world.state.pages[id]?.values).includes(title))!;
  for (const { id, title } of [
    { id: fleet.id, title: "Quay 7" },
    { id: all.id, title: "All there is" },
  ]) {
    expect(comparable(outlineOf(world, named(title))), title).toEqual(comparable(expectedOf(world, id)));
  }
  await bench.stop();
});

test("any workspace comes back with its blocks, pages, mentions and synced copies in their places", async () => {
  const bench = await openRestoreBench();
  const { world } = bench.simulator;
  let runs = 0;
  const check = async (pages: Piece[][]) => {
    runs += 1;
    const roots = pages.map((pieces, index) =>
      writePage(bench, { title: `Page ${runs}.${index}`, hour: index }, pieces),
    );
    const snapshot = await bench.backUp(roots);
    const { item, events } = await bench.whole(snapshot, `Restored ${runs}`);
    const restored = world.state.children[item.externalId] ?? [];
    expect(restored.map((id) => comparable(outlineOf(world, id)))).toEqual(
      roots.map((id) => comparable(expectedOf(world, id))),
    );
    expect(events.filter(({ type }) => type === "missing")).toEqual([]);
    for (const event of events) if (event.type === "compared") expect(event.same).toBe(event.all);
  };
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(piece, { maxLength: 8 }), { minLength: 1, maxLength: 3 }), check),
    { numRuns: 12, seed: 20_261_127, endOnFailure: true },
  );
  await bench.stop();
}, 240_000);

/** A piece of a page: a block with what is in it, a page below, or a reference to something that is there already. */
type Piece = { type: string; inside: readonly Piece[]; pick: number };

const TEXTS = [
  "paragraph",
  "toggle",
  "bulleted_list_item",
  "quote",
  "callout",
  "synced_block",
  "page",
  "to_do",
];
const SINGLE = [
  "divider",
  "code",
  "mention",
  "copy",
  "table",
  "file",
  "link_to_page",
  "equation",
  "paragraph",
  "comment",
];

const piece: fc.Arbitrary<Piece> = fc.letrec<{ piece: Piece }>((tie) => ({
  piece: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    fc.record({ type: fc.constantFrom(...SINGLE), inside: fc.constant([]), pick: fc.nat(30) }),
    fc.record({
      type: fc.constantFrom(...TEXTS),
      inside: fc.array(tie("piece"), { maxLength: 4 }),
      pick: fc.nat(30),
    }),
    fc.record({
      type: fc.constant("columns"),
      inside: fc.array(tie("piece"), { minLength: 2, maxLength: 4 }),
      pick: fc.nat(30),
    }),
  ),
})).piece;

/** Writes a page at the top of the workspace, and everything on it, an hour after the one before. Returns its id. */
function writePage(
  { simulator: { world }, workspaceId }: RestoreBench,
  { title, hour }: { title: string; hour: number },
  pieces: readonly Piece[],
): string {
  const kit = seedKit(world, workspaceId, Date.now() + hour * 3_600_000);
  const by = world.state.people[0]!.id;
  const root = kit.page(by, null, title).id;
  const pages: string[] = [root];
  const originals: string[] = [];
  const blocks: string[] = [];
  const from = (list: readonly string[], pick: number) => list[pick % list.length];
  const write = (parentId: string, { type, inside, pick }: Piece): void => {
    const words = `${type} ${pick}`;
    const target = from(pages, pick)!;
    const original = from(originals, pick);
    const noted = from(blocks, pick);
    let made: string;
    if (type === "page") {
      made = kit.page(by, parentId, words).id;
      pages.push(made);
    } else if (type === "columns") {
      const list = kit.block(by, parentId, "column_list", {}).id;
      for (const each of inside) write(kit.block(by, list, "column", {}).id, each);
      return;
    } else if (type === "table") {
      kit.table(by, parentId, [
        ["a", words],
        ["b", ""],
      ]);
      return;
    } else if (type === "synced_block") {
      made = kit.block(by, parentId, type, { synced_from: null }).id;
      if (inside.length === 0) kit.write(by, made, "paragraph", words);
    } else if (type === "copy" && original !== undefined) {
      kit.block(by, parentId, "synced_block", { synced_from: { type: "block_id", block_id: original } });
      return;
    } else if (type === "comment" && noted !== undefined) {
      kit.comment(by, noted, words);
      return;
    } else if (type === "mention") {
      made = kit.write(by, parentId, "paragraph", [text(words), pageMention(world, target, "there")]).id;
    } else if (type === "link_to_page") {
      made = kit.block(by, parentId, type, { type: "page_id", page_id: target }).id;
    } else if (type === "file") {
      const file = kit.file(`${words}.txt`, "text/plain", new TextEncoder().encode(words));
      made = kit.block(by, parentId, type, { ...file, caption: [], name: `${words}.txt` }).id;
    } else if (type === "code") {
      const code = { rich_text: [text("x".repeat(1 + pick * 60))], caption: [], language: "sql" };
      made = kit.block(by, parentId, type, code).id;
    } else if (type === "equation") made = kit.block(by, parentId, type, { expression: words }).id;
    else if (type === "divider") made = kit.block(by, parentId, type, {}).id;
    else {
      const more: Record<string, Json> =
        type === "to_do" ? { checked: pick % 2 === 0 } : type === "callout" ? { icon: null } : {};
      made = kit.write(by, parentId, TEXTS.includes(type) ? type : "paragraph", words, more).id;
    }
    if (type !== "page") blocks.push(made);
    for (const each of inside) write(made, each);
    // A copy cannot stand in its own original.
    if (type === "synced_block") originals.push(made);
  };
  for (const each of pieces) write(root, each);
  return root;
}

/** Comments without the line that names their time. */
function comparable(outline: Json): Json {
  if (Array.isArray(outline)) return outline.map(comparable);
  if (outline === null || typeof outline !== "object") return outline;
  const copy: JsonObject = Object.fromEntries(
    Object.entries(outline).map(([key, each]) => [key, comparable(each)]),
  );
  if (typeof copy.author === "string" || copy.author === null) {
    const [head, ...rest] = objectsOf(copy.text);
    const isHead = /^\d+ \w+ \d{4}, \d\d:\d\d UTC\n$/.test(textOf(head?.text) ?? "");
    copy.text = isHead ? rest : (copy.text ?? []);
    delete copy.author;
  }
  return copy;
}
