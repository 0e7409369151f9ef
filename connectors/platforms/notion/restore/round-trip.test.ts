import fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import type { Json } from "#core/kernel/canonical-json.ts";
import { contractsAreAbsent, readContract } from "#tests/conformance/contracts.ts";
import { isDeep } from "#tests/harness/sample.ts";
import { type JsonObject, objectsOf, textOf } from "./json-parts.ts";
import { openRestoreBench } from "./test-bench.ts";
import { expectedOf, outlineOf } from "./test-outline.ts";
import { anyPiece, EVERY_PIECE, PIECE_TYPES, type Piece, writePage } from "./test-pieces.ts";
import { PROPERTIES } from "./test-tables.ts";

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
    fc.asyncProperty(fc.array(fc.array(anyPiece, { maxLength: 8 }), { minLength: 1, maxLength: 3 }), check),
    { numRuns: isDeep() ? 100 : 12, seed: 20_261_127, endOnFailure: true, examples: [[[[...EVERY_PIECE]]]] },
  );
  await bench.stop();
}, 600_000);

/** Names of types in the contract that no workspace of this version of the API has, or that no answer has a form for. */
const NOT_IN_WORKSPACES = new Set([
  // Version 2026-03-11 calls blocks of the type `transcription` so.
  "meeting_notes",
  ...["location", "last_visited_time"],
]);

const typed = z.object({ properties: z.object({ type: z.object({ const: z.string() }) }) });
const contract = z.object({ components: z.object({ schemas: z.record(z.string(), z.unknown()) }) });

test.skipIf(contractsAreAbsent())(
  "tests write every type of block and property that the contract has",
  () => {
    const { schemas } = contract.parse(readContract("notion/openapi.derived.json")).components;
    const typeOf = (schema: unknown) => typed.safeParse(schema).data?.properties.type.const;
    const blocks = Object.keys(schemas).filter((name) => name.endsWith("BlockObjectResponse"));
    const { anyOf: properties } = z
      .object({ anyOf: z.array(z.unknown()) })
      .parse(schemas.PropertyConfigurationRequest);
    const unwritten = (all: readonly unknown[], written: Iterable<string>) => {
      const known = new Set([...written, ...NOT_IN_WORKSPACES]);
      return all.map(typeOf).filter((type) => type !== undefined && !known.has(type));
    };
    expect(blocks.length).toBeGreaterThan(30);
    expect(properties.length).toBeGreaterThan(20);
    expect(
      unwritten(
        blocks.map((name) => schemas[name]),
        PIECE_TYPES,
      ),
    ).toEqual([]);
    expect(unwritten(properties, ["title", ...PROPERTIES])).toEqual([]);
  },
);

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
