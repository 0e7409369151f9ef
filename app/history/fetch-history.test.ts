import { expect, test } from "vitest";
import { fetchHistory } from "./fetch-history.ts";

const row = {
  key: "run_1",
  date: 5,
  type: "backup",
  status: "success",
  canRestore: true,
  view: { progress: null },
};

test("[P-022] [P-090] the history requests ten rows of the item's page", async () => {
  const seen: string[] = [];
  await fetchHistory({
    itemId: "itm_1",
    page: 1,
    fetch: async (url, init) => {
      seen.push(`${init?.method} ${String(url)} ${String(init?.body)}`);
      return answer([]);
    },
  });
  expect(seen).toEqual(['POST /api/user/get-items-backups {"itemId":"itm_1","perPage":10,"page":1}']);
});

test("[P-156] [P-157] older names of the types are shown as backup and restore", async () => {
  const rows = await rowsOf([
    { ...row, type: "start_backup_unit" },
    { ...row, type: "start_restore_unit" },
    { ...row, type: "restore" },
  ]);
  expect(rows.map(({ type }) => type)).toEqual(["backup", "restore", "restore"]);
});

test("[P-158] error and failed are both shown as failed", async () => {
  const rows = await rowsOf([
    { ...row, status: "error" },
    { ...row, status: "failed" },
    { ...row, status: "running" },
  ]);
  expect(rows.map(({ status }) => status)).toEqual(["failed", "failed", "running"]);
});

test("the rest of a row is the view that the page itself loads", async () => {
  const [shown] = await rowsOf([{ ...row, view: { sizeBytes: 10, snapshotId: "snp_1", progress: null } }]);
  expect(shown).toMatchObject({ type: "backup", status: "success", sizeBytes: 10, snapshotId: "snp_1" });
});

async function rowsOf(rows: unknown[]) {
  return (await fetchHistory({ itemId: "itm_1", page: 0, fetch: async () => answer(rows) })).rows;
}

function answer(rows: unknown[]): Response {
  return Response.json({ status: "success", result: rows, totalItemsNumber: rows.length });
}
