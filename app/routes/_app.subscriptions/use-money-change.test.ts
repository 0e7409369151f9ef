import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { afterEach, expect, test, vi } from "vitest";
import { statusesQuery } from "#app/money/billing-queries.ts";
import { readStatesLater } from "./use-money-change.ts";

afterEach(() => void vi.useRealTimers());

test("[B-190] after a change the states on the screen are read once, ten seconds later", async () => {
  vi.useFakeTimers();
  const client = new QueryClient();
  let reads = 0;
  const queryFn = async () => {
    reads += 1;
    return {};
  };
  const leave = new QueryObserver(client, { ...statusesQuery, queryFn }).subscribe(() => undefined);
  await vi.advanceTimersByTimeAsync(0);
  expect(reads).toBe(1);
  readStatesLater(client);
  await vi.advanceTimersByTimeAsync(9_999);
  expect(reads).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(reads).toBe(2);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(reads).toBe(2);
  leave();
});
