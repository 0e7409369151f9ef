import { expect, test } from "vitest";
import { type Json, notionForTest } from "../test-world.ts";

const text = (content: string) => [{ text: { content } }];
const paragraph = (children?: Json[]): Json => ({
  paragraph: { rich_text: text("x"), ...(children ? { children } : {}) },
});
const many = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

async function limitsForTest() {
  const world = await notionForTest();
  const { id } = await world.control("pages", { title: "Page" });
  const token = world.grant().token;
  /** The message of a refusal, or "taken". */
  const send = async (method: string, path: string, body: Json): Promise<string> => {
    const answer = await world.ask(path, { method, body: JSON.stringify(body), as: token });
    const shown = (await answer.json()) as Json;
    expect([200, 400]).toContain(answer.status);
    return answer.status === 200 ? "taken" : shown.message;
  };
  const append = (children: Json[]) => send("PATCH", `/blocks/${id}/children`, { children });
  return { ...world, id, token, send, append };
}

test("a text is no longer than 2,000 signs, and rich text has no more than 100 segments", async () => {
  const { append, send, id } = await limitsForTest();
  const write = (rich_text: Json) => append([{ paragraph: { rich_text } }]);
  expect(await write(text("x".repeat(2_000)))).toBe("taken");
  expect(await write(text("x".repeat(2_001)))).toContain("text.content.length should be ≤ `2000`");
  expect(await write(many(100, () => text("x")[0]))).toBe("taken");
  expect(await write(many(101, () => text("x")[0]))).toContain("length should be ≤ `100`");
  expect(await write([{ equation: { expression: "x".repeat(1_001) } }])).toContain("≤ `1000`");
  const link = { url: `https://example.com/${"x".repeat(2_000)}` };
  expect(await write([{ text: { content: "x", link } }])).toContain("≤ `2000`");
  const title = { properties: { title: { title: text("x".repeat(2_001)) } } };
  expect(await send("PATCH", `/pages/${id}`, title)).toContain("≤ `2000`");
});

test("a request has no more than 100 children in a list, 1,000 blocks and 500 KB", async () => {
  const { append } = await limitsForTest();
  expect(await append(many(100, () => paragraph()))).toBe("taken");
  expect(await append(many(101, () => paragraph()))).toContain("body.children.length should be ≤ `100`");
  expect(await append([paragraph(many(101, () => paragraph()))])).toContain(
    "children.length should be ≤ `100`",
  );
  const tens = (last: number) => [
    ...many(9, () => paragraph(many(99, () => paragraph()))),
    ...[paragraph(many(last, () => paragraph()))],
  ];
  expect(await append(tens(99))).toBe("taken");
  expect(await append([...tens(99), paragraph()])).toContain("≤ `1000` blocks");
  const heavy = many(100, () => ({ paragraph: { rich_text: many(3, () => text("é".repeat(1_000))[0]) } }));
  expect(await append(heavy)).toContain("larger than 500 KB");
});

test("blocks are nested two levels deep in one request; columns and rows of tables do not count", async () => {
  const { append } = await limitsForTest();
  const nested = (levels: number): Json => paragraph(levels === 0 ? undefined : [nested(levels - 1)]);
  expect(await append([nested(2)])).toBe("taken");
  expect(await append([nested(3)])).toContain("2 levels deep");
  const columns = (levels: number) => ({
    column_list: { children: [{ column: { children: [nested(levels)] } }] },
  });
  expect(await append([columns(1)])).toBe("taken");
  expect(await append([columns(2)])).toContain("2 levels deep");
  const table = { table: { table_width: 1, children: [{ table_row: { cells: [text("a")] } }] } };
  expect(await append([paragraph([table])])).toBe("taken");
  expect(await append([paragraph([paragraph([table])])])).toContain("so deep");
});

test("a page is made within the same limits", async () => {
  const { id, send } = await limitsForTest();
  const make = (children: Json[]) => send("POST", "/pages", { parent: { page_id: id }, children });
  expect(await make(many(100, () => paragraph()))).toBe("taken");
  expect(await make(many(101, () => paragraph()))).toContain("≤ `100`");
});

test("a write has no more than 100 options, relations, people and files", async () => {
  const { control, json, send, world } = await limitsForTest();
  const table = await control("tables", { title: "Table", rows: many(101, (index) => `Row ${index}`) });
  const source = table.dataSourceId as string;
  for (const grant of world.state.grants) grant.rootIds.push(table.id);
  const options = many(101, (index) => ({ name: `Option ${index}` }));
  const schema = (properties: Json) => send("PATCH", `/data_sources/${source}`, { properties });
  expect(await schema({ Tags: { multi_select: { options } } })).toContain("options.length should be ≤ `100`");
  expect(
    await schema({
      ...{ Tags: { multi_select: {} }, Who: { people: {} }, Papers: { files: {} } },
      Rows: { relation: { data_source_id: source, single_property: {} } },
    }),
  ).toBe("taken");
  const [person] = (await json("/users")).results;
  const cases: [string, string, (index: number) => Json][] = [
    ["Tags", "multi_select", (index) => options[index]],
    ["Who", "people", () => ({ id: person.id })],
    ["Papers", "files", (index) => ({ name: `${index}`, external: { url: "https://example.com/" } })],
    ["Rows", "relation", (index) => ({ id: table.rowIds[index] })],
  ];
  for (const [name, type, make] of cases) {
    const patch = (count: number) =>
      send("PATCH", `/pages/${table.rowIds[0]}`, { properties: { [name]: { [type]: many(count, make) } } });
    expect(await patch(101), name).toContain("length should be ≤ `100`");
    expect(await patch(100), name).toBe("taken");
  }
});

test("the free plan takes 1,000 blocks of a connection for chosen workspaces, and any of one for any workspace", async () => {
  const { append, world } = await limitsForTest();
  for (const workspace of world.state.workspaces) workspace.plan = "free";
  world.settings.freeBlocks = 10;
  const eleven = many(11, () => paragraph());
  expect(await append(eleven)).toBe("taken");
  world.settings.registeredFor = "chosen workspaces";
  expect(await append([paragraph()])).toContain("block limit of the free plan");
  for (const workspace of world.state.workspaces) workspace.plan = "plus";
  expect(await append(eleven)).toBe("taken");
});

test("a body that is no JSON object is refused as such", async () => {
  const { ask, id } = await limitsForTest();
  for (const body of ["{", "[]", "7"]) {
    const answer = await ask(`/blocks/${id}/children`, { method: "PATCH", body });
    expect([answer.status, ((await answer.json()) as Json).code]).toEqual([400, "invalid_json"]);
  }
});
