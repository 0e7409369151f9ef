import { expect, test } from "vitest";
import type { Json } from "#core/kernel/canonical-json.ts";
import { id, piece } from "./test-version.ts";
import { viewFilter } from "./view-filter.ts";

const TYPES = {
  Name: "title",
  Note: "rich_text",
  Site: "url",
  Load: "number",
  No: "unique_id",
  Done: "checkbox",
  State: "status",
  Kind: "select",
  Tags: "multi_select",
  Due: "date",
  Crew: "people",
  Depot: "relation",
  Photo: "files",
  Made: "created_time",
  Maker: "created_by",
  Sum: "formula",
  Seal: "verification",
};
/** Ids of properties have signs that schemas encode and views may not. */
const keyOf = (name: string) => `${name.toLowerCase()}|`;
const source: Json = {
  properties: Object.fromEntries(
    Object.entries(TYPES).map(([name, type]) => [
      name,
      { id: encodeURIComponent(keyOf(name)), name, type, [type]: {} },
    ]),
  ),
};
const [INES, YARD] = [id(1), id(2)];

const FULL = rowOf({
  Name: [piece("Lorry 7")],
  Note: [piece("New "), piece("tyres")],
  Site: "https://example.com",
  Load: 40,
  No: { prefix: "L", number: 7 },
  Done: true,
  State: { name: "On the road" },
  Kind: { name: "Tanker" },
  Tags: [{ name: "night" }, { name: "cold" }],
  Due: { start: "2026-11-20T08:00:00.000Z" },
  Crew: [{ id: INES }],
  Depot: [{ id: YARD }],
  Photo: [{ name: "a.jpg" }],
  Maker: { id: INES },
  Sum: { type: "number", number: 3 },
});
const EMPTY = rowOf({
  ...{ Name: [], Note: [], Site: null, Load: null, Done: false, State: null, Kind: null, Tags: [] },
  ...{ Due: null, Crew: [], Depot: [], Photo: [], Sum: { type: "number", number: null } },
});

function rowOf(values: { [name: string]: Json }): Json {
  return {
    created_time: "2026-11-19T10:00:00.000Z",
    last_edited_time: "2026-11-21T10:00:00.000Z",
    properties: Object.fromEntries(
      Object.entries({ Made: "2026-11-19T10:00:00.000Z", ...values }).map(([name, value]) => {
        const type = TYPES[name as keyof typeof TYPES];
        return [name, { id: encodeURIComponent(keyOf(name)), type, [type]: value }];
      }),
    ),
  };
}

/** Which of the full and the empty row pass. */
function passing(filter: Json, quick: Json = null): [boolean, boolean] | string | null {
  const fits = viewFilter({ filter, quick_filters: quick }, source);
  return typeof fits === "function" ? [fits(FULL), fits(EMPTY)] : fits;
}
const on = (name: keyof typeof TYPES, condition: Json): Json => ({
  property: keyOf(name),
  [TYPES[name]]: condition,
});

test.each<[keyof typeof TYPES, Json, [boolean, boolean]]>([
  ["Name", { contains: "lorry" }, [true, false]],
  ["Name", { does_not_contain: "lorry" }, [false, true]],
  ["Note", { equals: "new tyres" }, [true, false]],
  ["Note", { starts_with: "new" }, [true, false]],
  ["Note", { ends_with: "new" }, [false, false]],
  ["Site", { is_empty: true }, [false, true]],
  ["Load", { greater_than: 39 }, [true, false]],
  ["Load", { less_than_or_equal_to: 39 }, [false, false]],
  ["Load", { does_not_equal: 40 }, [false, true]],
  ["No", { equals: 7 }, [true, false]],
  ["Done", { equals: false }, [false, true]],
  ["Done", { does_not_equal: false }, [true, false]],
  ["State", { equals: "On the road" }, [true, false]],
  ["State", { equals: ["Sold", "On the road"] }, [true, false]],
  ["Kind", { does_not_equal: "Tanker" }, [false, true]],
  ["Kind", { is_not_empty: true }, [true, false]],
  ["Tags", { contains: "cold" }, [true, false]],
  ["Tags", { does_not_contain: "hot" }, [true, true]],
  ["Due", { equals: "2026-11-20" }, [true, false]],
  ["Due", { after: "2026-11-20" }, [false, false]],
  ["Due", { on_or_before: "2026-11-20" }, [true, false]],
  ["Due", { before: "2026-11-20T08:00:01Z" }, [true, false]],
  ["Due", { is_empty: true }, [false, true]],
  ["Crew", { contains: INES }, [true, false]],
  ["Depot", { does_not_contain: YARD }, [false, true]],
  ["Photo", { is_not_empty: true }, [true, false]],
  ["Made", { on_or_after: "2026-11-20" }, [false, false]],
  ["Maker", { contains: INES }, [true, false]],
  ["Sum", { number: { less_than: 4 } }, [true, false]],
])("a condition on %s, %j, is applied as the API's filters are", (name, condition, expected) => {
  expect(passing(on(name, condition))).toEqual(expected);
});

test("conditions join with and, or, and the quick filters; a property may be named by its name", () => {
  const tanker = on("Kind", { equals: "Tanker" });
  const idle = on("State", { equals: "Idle" });
  expect(passing({ and: [tanker, idle] })).toEqual([false, false]);
  expect(passing({ or: [tanker, idle] })).toEqual([true, false]);
  expect(passing({ and: [{ or: [idle, tanker] }, { property: "Load", number: { equals: 40 } }] })).toEqual([
    true,
    false,
  ]);
  expect(passing(null, { [keyOf("Load")]: { number: { is_empty: true } } })).toEqual([false, true]);
  expect(passing(tanker, { [keyOf("Load")]: { number: { is_empty: true } } })).toEqual([false, false]);
  expect(passing({ timestamp: "last_edited_time", last_edited_time: { after: "2026-11-20" } })).toEqual([
    true,
    true,
  ]);
  expect(passing(null)).toBeNull();
});

test.each<Json>([
  on("Due", { past_week: {} }),
  on("Due", { equals: "today" }),
  on("Crew", { contains: "me" }),
  on("Tags", { contains: ["a", "b"] }),
  on("Seal", { status: "verified" }),
  on("Name", { sounds_like: "Larry" }),
  on("Name", { contains: 7 }),
  on("Name", {}),
  { property: "gone", title: { contains: "x" } },
  { timestamp: "read_time" },
  {},
  { and: [on("Done", { equals: true }), on("Due", { next_month: {} })] },
])(
  "a filter with a condition that needs the day, the reader or a later type is not applied: %j",
  (filter) => {
    expect(passing(filter)).toBe("unknown");
  },
);
