import { expect, test } from "vitest";
import { z } from "zod";
import { createHttpClient } from "#connectors/toolkit/http-client.ts";
import { readChanges } from "./read-changes.ts";
import { readPages } from "./read-pages.ts";

const BASE = "https://api.example";
type Thing = { id: number; at: string };
type List = { things: Thing[]; mostInTime: (from: number, count: number) => boolean };

/** A list with pages and Link headers, on a platform that times out on pages that are too large. */
function openList({ things, mostInTime }: List) {
  const asked: string[] = [];
  const fetch = async (address: string) => {
    const { searchParams: query, origin, pathname } = new URL(address);
    const [page, size] = [Number(query.get("page") ?? 1), Number(query.get("per_page"))];
    const found = things.filter(({ at }) => at >= (query.get("since") ?? ""));
    const from = (page - 1) * size;
    asked.push(`${from}+${size}`);
    if (!mostInTime(from, size)) return Response.json({ message: "Server Error" }, { status: 504 });
    const headers = new Headers({ "content-type": "application/json" });
    query.set("page", String(page + 1));
    if (found.length > from + size) headers.set("link", `<${origin}${pathname}?${query}>; rel="next"`);
    return new Response(JSON.stringify(found.slice(from, from + size)), { headers });
  };
  const client = createHttpClient(
    { fetch, clock: { now: () => 0 } },
    { platform: "Example", baseUrl: BASE, headers: {} },
  );
  return { client, asked };
}

const schema = z.array(z.object({ id: z.int(), at: z.string() }));
const call = { method: "GET", path: "/things", query: { per_page: 100 }, about: "things" } as const;
const day = (count: number) => new Date(Date.UTC(2026, 0, 1) + count * 1000).toISOString();
const many = (count: number, at = day) => Array.from({ length: count }, (_, id) => ({ id, at: at(id) }));

async function readAll(list: ReturnType<typeof openList>) {
  const ids: number[] = [];
  for await (const page of readPages(list.client, call, schema))
    ids.push(...page.members.map(({ id }) => id));
  return ids;
}

test("a range of a list that is too large is read in small pages, and the pages after it are large again", async () => {
  // One thing in the second hundred is so heavy that at most ten fit into a response with it.
  const heavy = 130;
  const list = openList({
    things: many(1_000),
    mostInTime: (from, count) => from > heavy || from + count <= heavy || count <= 10,
  });
  expect(await readAll(list)).toEqual(many(1_000).map(({ id }) => id));
  expect(list.asked.filter((piece) => piece.endsWith("+100")).length).toBeGreaterThan(7);
});

test("a list that is too large everywhere is not retried at full size", async () => {
  const list = openList({ things: many(1_000), mostInTime: (_from, count) => count <= 25 });
  expect(await readAll(list)).toHaveLength(1_000);
  expect(list.asked.filter((piece) => piece.endsWith("+100"))).toHaveLength(2);
  expect(list.asked.length).toBeLessThan(60);
});

test("a list that always fails is requested only a few times", async () => {
  const list = openList({ things: many(1_000), mostInTime: () => false });
  await expect(readAll(list)).rejects.toMatchObject({ kind: "unavailable", status: 504 });
  expect(list.asked).toEqual(["0+100", "0+25", "0+5", "0+1"]);
});

test.each([
  ["changed one after the other", day],
  ["changed in the same second", () => day(7)],
  ["changed in groups", (id: number) => day(Math.floor(id / 170))],
])("changes are complete at any page size when members were %s", async (_how, at) => {
  for (const most of [1, 5, 24, 33, 99]) {
    const things = many(430, at);
    const list = openList({ things, mostInTime: (_from, count) => count <= most });
    const changes = {
      call: (since: string | null, page: number) => ({
        ...call,
        query: { ...call.query, page, ...(since === null ? {} : { since }) },
      }),
      schema,
      idOf: ({ id }: Thing) => String(id),
      changedAt: (thing: Thing) => thing.at,
    };
    const ids = new Set<number>();
    for await (const { members } of readChanges(list.client, changes, { mark: null, position: null })) {
      for (const { id } of members) ids.add(id);
    }
    expect([most, ids.size]).toEqual([most, things.length]);
  }
});
