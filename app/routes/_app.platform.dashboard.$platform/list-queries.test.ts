import { expect, test } from "vitest";
import { createQueryClient } from "#app/api/query-client.ts";
import type { ItemListView } from "#core/inventory/views.ts";
import { afterEvent, changeItemLists, itemsQuery, withItems } from "./list-queries.ts";
import type { ListQuery } from "./list-query.ts";

const query = { connectionId: null, kind: "repository", page: 0 } as ListQuery;
const list = {
  items: [{ id: "itm_1", isDaily: false, activeRun: null }],
  total: 1,
} as unknown as ItemListView;
const progress = { runId: "run_1", kind: "backup", status: "running", done: 1 };
const eventOf = (id: string) =>
  ({ method: "item-progress", platform: "github", id, progress }) as unknown as Parameters<
    typeof afterEvent
  >[0];

test("a change reaches every page of the platform's list, and no other list", () => {
  const client = createQueryClient();
  const first = itemsQuery("github", query).queryKey;
  const second = itemsQuery("github", { ...query, page: 1 }).queryKey;
  const other = itemsQuery("gitlab", query).queryKey;
  for (const key of [first, second, other]) client.setQueryData(key, list);
  changeItemLists(
    client,
    "github",
    withItems((item) => ({ ...item, isDaily: true })),
  );
  const states = [first, second, other].map((key) => client.getQueryData(key)?.items[0]?.isDaily);
  expect(states).toEqual([true, true, false]);
});

test("an event that changes nothing does not count as a change, or a page that is loading would be read again", () => {
  const client = createQueryClient();
  const key = itemsQuery("github", query).queryKey;
  client.setQueryData(key, list);
  const count = () => client.getQueryState(key)?.dataUpdateCount;
  const before = count();
  changeItemLists(client, "github", afterEvent(eventOf("itm_2")));
  expect(count()).toBe(before);
  changeItemLists(client, "github", afterEvent(eventOf("itm_1")));
  expect(count()).toBe((before ?? 0) + 1);
});

test("a live event changes its row, and leaves the list alone when it has no such row", () => {
  expect(afterEvent(eventOf("itm_1"))(list).items[0]?.activeRun).toEqual(progress);
  expect(afterEvent(eventOf("itm_2"))(list)).toBe(list);
});
