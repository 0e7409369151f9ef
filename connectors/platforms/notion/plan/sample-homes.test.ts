import { expect, test } from "vitest";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { recordPaths } from "../record-paths.ts";
import { sampleRows } from "./sample-homes.ts";

const id = (number: number) =>
  `${(number * 0x0400_0000).toString(16).padStart(8, "0")}-0000-4000-8000-000000000000`;

test("a sample of the rows of many tables takes about as many looks as it has rows", async () => {
  const tables = Array.from({ length: 60 }, (_, index) => id(index));
  const paths = tables.flatMap((table) =>
    [1, 2, 3].map((row) => recordPaths.page(recordPaths.rowHome(table, id(row)))),
  );
  let looks = 0;
  const snapshot = {
    async *list(prefix: string, after = "") {
      looks += 1;
      for (const path of paths.sort()) if (path.startsWith(prefix) && path > after) yield { path };
    },
  } as unknown as SnapshotView;
  const homes = await sampleRows(snapshot, tables, paths.length);
  expect(new Set(homes).size).toBe(60);
  expect(looks).toBeLessThanOrEqual(120);
});
