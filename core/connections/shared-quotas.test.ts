import { expect, test } from "vitest";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import { GENERAL_QUOTA, type Quota } from "#connectors/contract/platform-connector.ts";
import { SECOND_MS } from "#core/kernel/clock.ts";
import type { RequestServices, SessionServices } from "#core/services.ts";
import type { ConnectionRow } from "./connection.store.ts";
import { openSession, openTokenSession } from "./open-session.ts";

const QUOTAS: readonly Quota[] = [
  { resource: "key", owner: "app", points: 300, perMs: 10 * SECOND_MS },
  { resource: "token", owner: "account", points: 100, perMs: 10 * SECOND_MS },
  { resource: "members", owner: "account", points: 100, perMs: 900 * SECOND_MS, isNamed: true },
];

type Window = {
  points: number;
  perMs: number;
  isSpent?: boolean;
  share?: { account: string; reserve: number };
};
type Asked = { budget: string; resource: string; points: number; window?: Window };

/** A platform with or without its own quotas, and budgets that record the requests. */
function place(quotas: readonly Quota[] | undefined, waits: Record<string, number[]> = {}) {
  const asked: Asked[] = [];
  const reported: { budget: string; resource: string; window?: { points: number; perMs: number } }[] = [];
  const slept: number[] = [];
  let now = 1_000_000;
  const services = {
    connectors: new Map([["yard", { descriptor: { label: "Yard" }, quotas }]]),
    connectorConfig: {},
    clock: { now: () => now },
    sleep: async (ms: number) => {
      slept.push(ms);
      now += ms;
    },
    fetch: async () => new Response(),
    budgets: {
      spend: async (
        budget: string,
        resource: string,
        points: number,
        _now: number,
        window?: Asked["window"],
      ) => {
        asked.push({ budget, resource, points, ...(window ? { window } : {}) });
        const waitMs = waits[resource]?.shift();
        return waitMs === undefined ? { kind: "granted" } : { kind: "wait", until: now + waitMs };
      },
      report: async (
        budget: string,
        { resource }: { resource: string },
        _now: number,
        window?: { points: number; perMs: number },
      ) => void reported.push({ budget, resource, ...(window && { window }) }),
    },
  } as unknown as RequestServices;
  const open = (externalId: string) =>
    openTokenSession(
      services,
      { platform: "yard", externalId, details: null, accountName: externalId, authMethod: "default" },
      "t",
    );
  const openFor = (externalId: string, use: Parameters<typeof openSession>[2]) => {
    const row = { platform: "yard", externalId, organisationId: "org", name: externalId, credentials: [] };
    return openSession(services as SessionServices, row as unknown as ConnectionRow, use);
  };
  return { open, openFor, asked, reported, slept };
}

test("a call uses its account's quota first, then the quota that all customers share", async () => {
  const { open, asked } = place(QUOTAS);
  await open("ann").spend(1);
  await open("bob").spend(2);
  const window = (points: number) => ({ points, perMs: 10_000 });
  expect(asked).toEqual([
    { budget: "yard:ann", resource: "token", points: 1, window: window(100) },
    { budget: "yard:*", resource: "key", points: 1, window: window(300) },
    { budget: "yard:bob", resource: "token", points: 2, window: window(100) },
    { budget: "yard:*", resource: "key", points: 2, window: window(300) },
  ]);
});

test("only calls that name their own quota use it", async () => {
  const { open, asked } = place(QUOTAS);
  await open("ann").spend(1, "members");
  expect(asked.map(({ resource }) => resource)).toEqual(["token", "members", "key"]);
});

test("a backup takes its account's share of a quota that customers share, and leaves a reserve; a restore does not", async () => {
  const { openFor, asked } = place(QUOTAS);
  const use = { request: () => undefined, bytes: () => undefined };
  await openFor("ann", { ...use, isBackground: true }).spend(1);
  await openFor("ann", use).spend(1);
  const window = { points: 300, perMs: 10_000 };
  expect(asked.filter(({ budget }) => budget === "yard:*").map((one) => one.window)).toEqual([
    { ...window, share: { account: "ann", reserve: 60 } },
    window,
  ]);
  expect(asked.filter(({ window: own }) => own?.share).map(({ resource }) => resource)).toEqual(["key"]);
});

test("points that the platform has counted already are counted as such", async () => {
  const { open, asked } = place(QUOTAS);
  await open("ann").spend(100, "members", { isSpent: true });
  expect(asked.map(({ resource, window }) => [resource, window?.isSpent])).toEqual([
    ["token", true],
    ["members", true],
    ["key", true],
  ]);
});

test("a short wait is awaited and spent once; a long one returns its end", async () => {
  const short = place(QUOTAS, { key: [3_000, 2_000] });
  await short.open("ann").spend(1);
  expect(short.slept).toEqual([3_000, 2_000]);
  expect(short.asked.map(({ resource }) => resource)).toEqual(["token", "key", "key", "key"]);
  const long = place(QUOTAS, { key: [60_000] });
  const failure: unknown = await long
    .open("ann")
    .spend(1)
    .catch((cause: unknown) => cause);
  expect(failure).toBeInstanceOf(ConnectorError);
  expect(failure).toMatchObject({
    kind: "rate-limited",
    retryAt: 1_060_000,
    message: "Yard asks us to wait.",
  });
});

test("a report about a shared quota applies to all customers, others to the account, with the limits that we count by", async () => {
  const { open, reported } = place(QUOTAS);
  const limits = { remaining: null, resetAt: null, retryAt: 5 };
  for (const resource of ["key", "token", "members", "core"])
    await open("ann").report({ ...limits, resource });
  expect(reported).toEqual([
    { budget: "yard:*", resource: "key", window: { points: 300, perMs: 10_000 } },
    { budget: "yard:ann", resource: "token", window: { points: 100, perMs: 10_000 } },
    { budget: "yard:ann", resource: "members", window: { points: 100, perMs: 900_000 } },
    { budget: "yard:ann", resource: "core" },
  ]);
});

test("a platform that reports its remaining quota has one quota per account", async () => {
  const { open, asked } = place(undefined);
  await open("ann").spend(3);
  expect(asked).toEqual([{ budget: "yard:ann", resource: GENERAL_QUOTA, points: 3 }]);
});
