import { afterAll, beforeAll, expect, test } from "vitest";
import { fieldNames } from "#connectors/contract/coverage.ts";
import { momentText } from "#connectors/toolkit/records/quote.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import {
  expectRestored,
  type Fields,
  type OtherWay,
  type Pair,
} from "#tests/conformance/coverage/expect-restored.ts";
import { coverage } from "../coverage.ts";
import { inline, seedKit, text } from "../simulator/seed-kit.ts";
import { objectOf, objectsOf } from "./json-parts.ts";
import { openRestoreBench, type RestoreBench } from "./test-bench.ts";
import { counterpartsOf, wordsOf } from "./test-counterparts.ts";
import { EVERY_PIECE, writePage } from "./test-pieces.ts";
import { PROPERTIES, writeTable } from "./test-tables.ts";

let bench: RestoreBench;
beforeAll(async () => {
  bench = await openRestoreBench();
});
afterAll(() => bench.stop());

/** Configurations of views, by type. */
const VIEWS: Readonly<Record<string, Fields>> = {
  board: {
    group_by: { type: "status", property_id: "status-0", group_by: "option", sort: { type: "manual" } },
  },
  calendar: { date_property_id: "date-0" },
  chart: { chart_type: "column" },
  form: { is_form_closed: true },
  gallery: { cover_size: "medium" },
  list: { properties: [{ property_id: "title", visible: true }] },
  map: { height: "large", map_by: "place-0" },
  table: { properties: [{ property_id: "number-0", visible: true, width: 120 }] },
  timeline: { date_property_id: "date-0", show_table: true },
};

/** Pages with everything that a restore brings back. Returns their ids. */
function makeEverything(): string[] {
  const { world } = bench.simulator;
  const kit = seedKit(world, bench.workspaceId, Date.parse("2026-03-02T10:22:00.000Z"));
  const by = world.state.people[0]!.id;
  const icon = { type: "emoji", emoji: "⚓" };
  const cover = { type: "external", external: { url: "https://meridian.example/sea.jpg" } };
  const page = kit.page(by, null, "Harbour", { icon, cover });
  const table = writeTable(kit, { by, parentId: page.id, at: 8, properties: PROPERTIES }, []);
  const database = world.state.databases[table.databaseId]!;
  Object.assign(database, {
    icon,
    cover,
    isInline: true,
    isLocked: true,
    description: [text("Every berth")],
  });
  for (const [type, configuration] of Object.entries(VIEWS))
    kit.view(by, database, table.source.id, {
      ...{ name: `As ${type}`, type, configuration: { type, ...configuration } },
      filter: { property: "number-0", number: { greater_than: 3 } },
      sorts: [{ property: "number-0", direction: "ascending" }],
      quick_filters: { "number-0": { number: { greater_than: 5 } } },
    });
  const link = "https://ferries.example/timetable";
  const said = kit.write(by, page.id, "paragraph", [
    text("Sails ", { bold: true, color: "red" }, link),
    inline("equation", { expression: "e^2" }, "e^2"),
    inline(
      "mention",
      { type: "date", date: { start: "2026-12-01", end: null, time_zone: null } },
      "1 December",
    ),
  ]);
  const comment = kit.comment(by, said.id, "On time?");
  kit.comment(by, said.id, "Always.", comment.discussionId);
  const { file } = kit.file("timetable.pdf", "application/pdf", new TextEncoder().encode("%PDF ferries"));
  comment.attachments.push({ category: "pdf", file: file ?? null });
  return [page.id, writePage(bench, { title: "Quay", hour: 1 }, EVERY_PIECE)];
}

const isEmpty = (value: Json) =>
  typeof value === "object" && value !== null && !Array.isArray(value) && Object.keys(value).length === 0;
/** A thing by its type. Some types say nothing more. */
const byType = (one: Fields): Fields => {
  const own = one[String(one.type)] ?? null;
  return one.type === undefined ? {} : { [String(one.type)]: isEmpty(own) ? "there" : own };
};
const typesOf = (name: string) => fieldNames(coverage.find((each) => each.name === name)?.restored ?? "");

/** Things without those of their properties whose types the page calls not restored. */
function withRestored(name: string, pairs: readonly Pair[]): Pair[] {
  const types = typesOf(name);
  const only = (one: Fields): Fields => ({
    ...one,
    properties: Object.fromEntries(
      Object.entries(objectOf(one.properties)).filter(([, each]) =>
        types.includes(String(objectOf(each).type)),
      ),
    ),
  });
  return pairs.map(({ before, after }) => ({ before: only(before), after: only(after) }));
}

/** The properties of things, each as a thing of its type. */
const propertiesOf = (pairs: readonly Pair[]): Pair[] =>
  pairs.flatMap(({ before, after }) =>
    Object.entries(objectOf(before.properties)).map(([name, value]) => ({
      before: byType(objectOf(value)),
      after: byType(objectOf(objectOf(after.properties)[name])),
    })),
  );

/** A value that comes back as it was, but for what `because` says. */
const but = (because: string, holds: (pair: Pair) => boolean): OtherWay => ({ because, holds });

test("every field that is said to be restored comes back", async () => {
  const before = await bench.backUp(makeEverything());
  expect(before.skipped).toEqual([]);
  const { item } = await bench.whole(before, "Back again");
  const after = await bench.backUp([item.externalId]);
  const { databases, views, comments, plain, ...all } = await counterpartsOf(before, after);
  const pages = withRestored("Values of rows, by type", all.pages);
  const sources = withRestored("Properties of data sources, by type", all.sources);
  const types = typesOf("Blocks, by type");
  const blocks = all.blocks.filter(({ before: { type } }) => types.includes(String(type)));
  const texts = blocks.flatMap(({ before: one, after: copy }) => {
    const of = (block: Fields) => objectsOf(objectOf(block[String(block.type)]).rich_text);
    return of(one).map((text, index): Pair => ({ before: text, after: of(copy)[index] ?? {} }));
  });
  const told = (value: Json | undefined) => JSON.stringify(plain(value ?? null));
  const isSame = (field: string) => (pair: Pair) => told(pair.before[field]) === told(pair.after[field]);
  const placed = but(
    "What stood at the top stands below the new page.",
    (pair) => objectOf(pair.before.parent).type === "workspace" || isSame("parent")(pair),
  );
  const ungrouped = (field: string) =>
    but("The API takes no groups of a status: its options stand in the first one.", ({ before, after }) => {
      const options = (one: Fields) =>
        JSON.stringify(plain(one[field] ?? null), (key, value) => (key === "groups" ? undefined : value));
      return options(before) === options(after);
    });
  const saysAuthor = ({ before: { display_name: one }, after: { display_name: copy } }: Pair) =>
    objectOf(copy).resolved_name === objectOf(one).resolved_name;
  const threads = new Map(
    comments.map(({ before: one, after: copy }) => [one.discussion_id, copy.discussion_id]),
  );
  const above = (words: (before: Fields) => string) => (pair: Pair) =>
    wordsOf(pair.after.rich_text).includes(words(pair.before));
  expectRestored(coverage, {
    "Pages and rows": { pairs: pages, plain, ways: { parent: placed } },
    "Values of rows, by type": { pairs: propertiesOf(pages), plain },
    Blocks: { pairs: blocks, plain },
    "Blocks, by type": {
      pairs: blocks.map((pair) => ({ before: byType(pair.before), after: byType(pair.after) })),
      plain,
    },
    Texts: { pairs: texts, plain },
    Databases: { pairs: databases, plain },
    "Data sources": { pairs: sources, plain, ways: { properties: ungrouped("properties") } },
    "Properties of data sources, by type": {
      pairs: propertiesOf(sources),
      plain,
      ways: { status: ungrouped("status") },
    },
    Views: { pairs: views, plain },
    "Views, by type": {
      pairs: views.map(({ before: one, after: copy }) => ({
        before: { [String(one.type)]: one.type ?? null },
        after: { [String(copy.type)]: copy.type ?? null },
      })),
    },
    Comments: {
      pairs: comments,
      plain,
      ways: {
        rich_text: but(
          "The text stands below its date.",
          above(({ rich_text: texts }) => wordsOf(texts)),
        ),
        created_time: but(
          "No request takes it.",
          above((one) => momentText(String(one.created_time))),
        ),
        created_by: but("The author's name stands in place of the restoring account's.", saysAuthor),
        display_name: but("It is a name that the restore gives.", saysAuthor),
        discussion_id: but(
          "A restored discussion has an id of its own and the same comments.",
          ({ before: one, after: copy }) =>
            threads.get(one.discussion_id) === copy.discussion_id &&
            threads.size === new Set(threads.values()).size,
        ),
      },
    },
  });
}, 60_000);
