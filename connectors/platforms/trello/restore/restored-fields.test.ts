import { expect, onTestFinished, test } from "vitest";
import { momentText } from "#connectors/toolkit/records/quote.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import {
  expectRestored,
  type Fields,
  type OtherWay,
  type Pair,
  pairUp,
  recordsOf,
} from "#tests/conformance/coverage/expect-restored.ts";
import type { MemorySnapshot } from "#tests/conformance/memory-snapshot.ts";
import { coverage } from "../coverage.ts";
import { openBench } from "../test-bench.ts";

const partsOf = (one: Fields, name: string) => (one[name] ?? []) as Fields[];
const nested = (value: Json | undefined, name: string): Json | undefined =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? value[name] : undefined;

/** What each id of a version stands for, in words that a copy shares. */
async function namesOf(version: MemorySnapshot): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  const note = (kind: string, things: readonly Fields[], nameOf: (one: Fields) => Json | undefined) => {
    for (const one of things) names.set(String(one.id), `${kind} ${JSON.stringify(nameOf(one))}`);
  };
  note("list", await recordsOf(version, "list"), ({ name }) => name);
  note("label", await recordsOf(version, "label"), ({ name, color }) => [name ?? null, color ?? null]);
  const fields = await recordsOf(version, "custom-field");
  note("field", fields, ({ name }) => name);
  for (const field of fields) note("option", partsOf(field, "options"), ({ value }) => nested(value, "text"));
  for (const card of await recordsOf(version, "card"))
    note("file", partsOf(card, "attachments"), ({ name }) => name);
  return names;
}

/** Values with names in the place of ids, without what a list of parts tells in things of its own. */
function plainBy(names: ReadonlyMap<string, string>) {
  const plain = (value: Json): Json => {
    if (typeof value === "string") return names.get(value) ?? value;
    if (Array.isArray(value)) return value.map(plain);
    if (value === null || typeof value !== "object") return value;
    const kept = Object.entries(value).filter(([name]) => !["id", "idCustomField"].includes(name));
    return Object.fromEntries(kept.map(([name, member]) => [name, plain(member)]));
  };
  return (value: Json, field: string): unknown => {
    const parts = ["attachments", "checkItems"].includes(field) && Array.isArray(value);
    if (parts) return value.map((one) => nested(one, "name"));
    if (field === "idLabels" && Array.isArray(value)) return value.map(plain).map(String).toSorted();
    return plain(value);
  };
}

const textOf = ({ after }: Pair) => String(nested(after.data, "text"));
const says = (because: string, phraseOf: (before: Fields) => string): OtherWay => ({
  because,
  holds: (pair) => textOf(pair).includes(phraseOf(pair.before)),
});

test("every field that is said to be restored comes back", async () => {
  const bench = await openBench();
  onTestFinished(() => bench.world.stop());
  const board = await bench.world.makeBoard("Everything");
  const { boards } = bench.world.simulator.world.state;
  const original = boards.find(({ id }) => id === board.externalId);
  const [card, other] = original?.cards ?? [];
  if (!original || !card || !other) throw new Error("there are no cards");
  const watched = { subscribers: [bench.world.memberId] };
  Object.assign(original, { ...watched, desc: "Cranes and gates" });
  for (const one of [original.lists[0], card]) Object.assign(one ?? {}, watched);
  Object.assign(other, { dueComplete: true, isTemplate: true });
  const off = { closed: false, subscribed: false, dueComplete: false, isTemplate: false };
  const before = await bench.backUp(board);
  const { item } = await bench.restore(before, "Everything again");
  const after = await bench.backUp(item);
  const names = new Map([...(await namesOf(before)), ...(await namesOf(after))]);
  const plain = plainBy(names);
  const pairs = async (kind: string, isSame: (one: Fields, copy: Fields) => boolean) =>
    pairUp(await recordsOf(before, kind), await recordsOf(after, kind), isSame);
  const named = (one: Fields, copy: Fields) => one.name === copy.name;
  const cards = await pairs("card", named);
  const parts = (list: string, isSame = named) =>
    cards.flatMap((pair) => pairUp(partsOf(pair.before, list), partsOf(pair.after, list), isSame));
  const checklists = parts("checklists");
  const fieldOf = ({ idCustomField }: Fields) => names.get(String(idCustomField));
  expectRestored(coverage, {
    Board: {
      pairs: await pairs("board", () => true),
      blank: off,
      plain,
      ways: {
        name: {
          because: "The restore makes a board of the chosen name.",
          holds: (pair) => pair.after.name === "Everything again",
        },
      },
    },
    Lists: { pairs: await pairs("list", named), blank: off },
    Labels: { pairs: await pairs("label", (one, copy) => named(one, copy) && one.color === copy.color) },
    "Custom fields": { pairs: await pairs("custom-field", named), plain },
    Cards: { pairs: cards, blank: off, plain },
    "Values of custom fields": {
      pairs: parts("customFieldItems", (one, copy) => fieldOf(one) === fieldOf(copy)),
      plain,
    },
    Checklists: { pairs: checklists, plain },
    "Items of checklists": {
      pairs: checklists.flatMap((pair) =>
        pairUp(partsOf(pair.before, "checkItems"), partsOf(pair.after, "checkItems"), named),
      ),
    },
    Attachments: {
      pairs: parts("attachments"),
      ways: {
        url: {
          because: "A file that was uploaded has an address of its own; a link stays as it is.",
          holds: (pair) => pair.before.url === pair.after.url || pair.before.isUpload === true,
        },
      },
    },
    Comments: {
      pairs: await pairs("comment", (one, copy) =>
        String(nested(copy.data, "text")).includes(
          String(nested(one.data, "text")).replaceAll("@", "@\u200b"),
        ),
      ),
      ways: {
        data: says("The text stands below a line that names its origin.", ({ data }) =>
          String(nested(data, "text")).replaceAll("@", "@\u200b"),
        ),
        date: says("No call takes a date, so the line names it.", ({ date }) => momentText(String(date))),
        memberCreator: says("Trello shows the restoring account as the author.", ({ memberCreator }) =>
          String(nested(memberCreator, "username")),
        ),
      },
    },
  });
  expect(cards.length).toBeGreaterThan(5);
});
