import { QueryObserver } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { createQueryClient } from "./query-client.ts";
import { restartReads } from "./restart-reads.ts";

/** A shown query whose reads are answered by hand. */
function shown(first: string[]) {
  const client = createQueryClient();
  const queryKey = ["rows"];
  const reads: ((rows: string[]) => void)[] = [];
  client.setQueryData(queryKey, first);
  const queryFn = () => new Promise<string[]>((resolve) => reads.push(resolve));
  const stop = new QueryObserver<string[]>(client, { queryKey, queryFn }).subscribe(() => {});
  return { client, queryKey, reads, stop, rows: () => client.getQueryData<string[]>(queryKey) };
}

test("an answer that was read before a change does not replace it", async () => {
  const { client, queryKey, reads, stop, rows } = shown(["old"]);
  client.setQueryData(queryKey, ["new", "old"]);
  restartReads(client, queryKey);
  expect(reads).toHaveLength(2);
  reads[0]!(["old"]);
  await settle();
  expect(rows()).toEqual(["new", "old"]);
  reads[1]!(["new", "old", "oldest"]);
  await settle();
  expect(rows()).toEqual(["new", "old", "oldest"]);
  stop();
});

test("a query that is not being read stays as it is", async () => {
  const { client, queryKey, reads, stop } = shown(["old"]);
  reads[0]!(["old"]);
  await settle();
  restartReads(client, queryKey);
  expect(reads).toHaveLength(1);
  stop();
});

/** Lets everything that waits for an answer run. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 0));
