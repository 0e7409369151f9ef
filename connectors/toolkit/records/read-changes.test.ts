import { expect, test } from "vitest";
import { z } from "zod";
import { createHttpClient } from "#connectors/toolkit/http-client.ts";
import { type ChangePosition, readChanges } from "./read-changes.ts";

type Thing = { id: string; at: string };
const PER_PAGE = 10;
const second = (count: number) =>
  new Date(Date.UTC(2026, 0, 1) + count * 1000).toISOString().replace(".000", "");

/** A paged list, as platforms serve it, that can change between two pages. */
function listOf(things: Thing[], beforePage: (page: number) => void = () => undefined) {
  let pages = 0;
  const fetch = async (address: string) => {
    beforePage(++pages);
    const query = new URL(address).searchParams;
    const since = query.get("since") ?? "";
    const sorted = things
      .filter(({ at }) => at >= since)
      .sort((a, b) => a.at.localeCompare(b.at) || a.id.localeCompare(b.id));
    const from = (Number(query.get("page")) - 1) * PER_PAGE;
    const headers = new Headers({ "content-type": "application/json" });
    if (sorted.length > from + PER_PAGE) headers.set("link", `<https://api.example/next>; rel="next"`);
    return new Response(JSON.stringify(sorted.slice(from, from + PER_PAGE)), { headers });
  };
  const api = { platform: "Example", baseUrl: "https://api.example", headers: {} };
  return { client: createHttpClient({ fetch, clock: { now: () => 0 } }, api), pages: () => pages };
}

const list = {
  call: (since: string | null, page: number) => ({
    method: "GET" as const,
    path: "/things",
    query: { page, ...(since === null ? {} : { since }) },
    about: "things",
  }),
  schema: z.array(z.object({ id: z.string(), at: z.string() })),
  idOf: (thing: Thing) => thing.id,
  changedAt: (thing: Thing) => thing.at,
};

async function readAll(
  { client }: ReturnType<typeof listOf>,
  from: { mark: string | null; position: ChangePosition | null } = { mark: null, position: null },
) {
  const ids: string[] = [];
  const positions: ChangePosition[] = [];
  let newest: string | null = null;
  for await (const page of readChanges(client, list, from)) {
    ids.push(...page.members.map(({ id }) => id));
    if (page.position !== null) positions.push(page.position);
    newest = page.newest;
  }
  return { ids, positions, newest };
}

const many = (count: number, every = 60) =>
  Array.from({ length: count }, (_, i) => ({ id: `t${String(i).padStart(3, "0")}`, at: second(i * every) }));

test("everything is read once, page by page, and the newest change is returned", async () => {
  const { ids, newest } = await readAll(listOf(many(95)));
  expect(ids).toEqual(many(95).map(({ id }) => id));
  expect(newest).toBe(second(94 * 60));
});

test("a deletion or change between two pages hides no other member", async () => {
  const things = many(60);
  const server = listOf(things, (page) => {
    if (page === 3) things.splice(2, 5);
    if (page === 4) things[30]!.at = second(100_000);
  });
  const { ids } = await readAll(server);
  expect(new Set(ids)).toEqual(new Set(many(60).map(({ id }) => id)));
});

test("more members of one second than fit on a page are all read", async () => {
  const things = [
    ...many(5),
    ...many(37, 0).map((thing) => ({ id: `same-${thing.id}`, at: second(500) })),
    ...many(3).map((thing) => ({ id: `late-${thing.id}`, at: second(9_000) })),
  ];
  const { ids } = await readAll(listOf(things));
  expect(new Set(ids).size).toBe(45);
});

test("only changes since the mark are read, with five minutes of overlap", async () => {
  const things = many(300);
  const server = listOf(things);
  const { ids, newest } = await readAll(server, { mark: second(290 * 60), position: null });
  expect(ids).toEqual(things.slice(285).map(({ id }) => id));
  expect(newest).toBe(second(299 * 60));
  expect(server.pages()).toBe(2);
});

test("without changes the mark stays", async () => {
  const { ids, newest } = await readAll(listOf([]), { mark: second(7), position: null });
  expect([ids, newest]).toEqual([[], second(7)]);
});

test("reading resumes from any position without a gap", async () => {
  const things = many(45);
  const { positions } = await readAll(listOf(things));
  expect(positions.length).toBeGreaterThan(3);
  for (const [index, position] of positions.entries()) {
    const { ids, newest } = await readAll(listOf(things), { mark: null, position });
    expect(ids.at(-1)).toBe("t044");
    expect(ids.length).toBeGreaterThanOrEqual(45 - (index + 1) * PER_PAGE);
    expect(newest).toBe(second(44 * 60));
  }
});
