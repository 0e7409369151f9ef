import { afterAll, beforeAll, expect, test } from "vitest";
import { ConnectorError, type ConnectorErrorKind } from "#connectors/contract/connector-error.ts";
import type {
  ConnectorConfig,
  PlatformConnector,
  PlatformItem,
  PlatformPlace,
} from "#connectors/contract/platform-connector.ts";
import type { EntryInfo } from "#connectors/contract/snapshot-view.ts";
import { type MemorySnapshot, takeSnapshot } from "./memory-snapshot.ts";
import { memoryJournal, runRestore, type TestSession, testSession } from "./test-session.ts";

/** A platform with an account in it, as the suite needs it. Every handle acts on the platform, not on us. */
export type ConformanceWorld = {
  config: ConnectorConfig;
  accountName: string;
  kind: string;
  /** A valid token of the account. */
  issueToken(): Promise<string>;
  /** An item with content that the account owns, and another one that may be deleted. */
  item: { externalId: string; fullName: string };
  doomed: { externalId: string; fullName: string };
  /** Everything that the platform holds of an item, as text; equal texts mean that nobody touched it. */
  fingerprint(item: { externalId: string; fullName: string }): Promise<string>;
  deleteItem(item: { externalId: string; fullName: string }): Promise<void>;
  revoke(token: string): Promise<void>;
  /** Makes the next requests meet a spent quota that comes back at the time, in epoch milliseconds. */
  exhaustQuota(resetAt: number): Promise<void>;
  stop(): Promise<void>;
};

/** The contract as a suite: every platform passes it against its simulator. Tests run in order. */
export function describePlatformConnector(
  connector: PlatformConnector,
  { open }: { open: () => Promise<ConformanceWorld> },
): void {
  const { id } = connector.descriptor;
  let world: ConformanceWorld;
  let token: string;
  beforeAll(async () => {
    world = await open();
    token = await world.issueToken();
  });
  afterAll(() => world.stop());

  const session = (): TestSession =>
    testSession({ config: world.config, token, accountName: world.accountName });
  const getItem = (reference: { externalId: string; fullName: string }) =>
    connector.getItem(session(), { kind: world.kind, ...reference });
  const backUp = async (item: PlatformItem, previous: MemorySnapshot | null = null) =>
    await takeSnapshot(connector.backUp(session(), { item, previous, cursor: null }), previous);

  test(`${id}: the consent page carries state and an S256 challenge and never the secret`, () => {
    const url = new URL(
      connector.authoriser.consentUrl(world.config, {
        state: "s-123",
        codeChallenge: "c-456",
        redirectUri: "http://localhost/callback",
      }),
    );
    expect(url.searchParams.get("state")).toBe("s-123");
    expect(url.searchParams.get("code_challenge")).toBe("c-456");
    expect(url.searchParams.get("code_challenge_method")).toBe("S256");
    for (const [name, secret] of Object.entries(world.config)) {
      if (/SECRET/.test(name)) expect(url.href).not.toContain(secret);
    }
  });

  test(`${id}: lists are paged without gaps or repetitions`, async () => {
    const places = await connector.listPlaces(session(), { page: 0, perPage: 50 });
    expect(places.items.length).toBeGreaterThan(0);
    const place = connector.descriptor.supports.places ? (places.items[0] ?? null) : null;
    const whole = await allItems(connector, session(), { kind: world.kind, place, perPage: 100 });
    const small = await allItems(connector, session(), { kind: world.kind, place, perPage: 2 });
    expect(whole.length).toBeGreaterThan(2);
    expect(small.map((item) => item.externalId)).toEqual(whole.map((item) => item.externalId));
    expect(new Set(small.map((item) => item.externalId)).size).toBe(small.length);
  });

  test(`${id}: a part of a name finds the item, in any case`, async () => {
    const { name } = await getItem(world.item);
    const part = name.slice(1).toUpperCase();
    const query = { kind: world.kind, place: null, name: part, page: 0, perPage: 10 };
    const found = await connector.listItems(session(), query);
    expect(found.items.map((item) => item.externalId)).toContain(world.item.externalId);
    expect(found.items.every((item) => item.name.toUpperCase().includes(part))).toBe(true);
  });

  test(`${id}: the same item gives the same entries with the same bytes twice`, async () => {
    const item = await getItem(world.item);
    const [first, second] = [await backUp(item), await backUp(item)];
    expect(first.entries.size).toBeGreaterThan(0);
    expect(hashes(second, isContent)).toEqual(hashes(first, isContent));
  });

  test(`${id}: a second run of an unchanged item writes no stream and equal records`, async () => {
    const item = await getItem(world.item);
    const first = await backUp(item);
    const second = await backUp(item, first);
    expect(second.newStreams).toEqual([]);
    expect(hashes(second)).toEqual(hashes(first));
  });

  test(`${id}: a restore makes a new item and never touches the original`, async () => {
    const item = await getItem(world.item);
    const snapshot = await backUp(item);
    const before = await world.fingerprint(world.item);
    const target = { name: `${item.name}_restored`, place: null, options: {} };
    const done = await runRestore(connector.restore(session(), snapshot, target, memoryJournal()));
    expect(done.item.externalId).not.toBe(item.externalId);
    expect(done.item.fullName).not.toBe(item.fullName);
    expect(await world.fingerprint(world.item)).toBe(before);
    const restored = await getItem(done.item);
    expect(restored.name).toBe(target.name);
    expect(done.events.some((event) => event.type === "restored")).toBe(true);
  });

  test(`${id}: a restore under a name that is taken does not overwrite`, async () => {
    const item = await getItem(world.item);
    const snapshot = await backUp(item);
    const before = await world.fingerprint(world.item);
    const target = { name: item.name, place: null, options: {} };
    const done = await runRestore(connector.restore(session(), snapshot, target, memoryJournal()));
    expect(done.item.externalId).not.toBe(item.externalId);
    expect(await world.fingerprint(world.item)).toBe(before);
  });

  test(`${id}: a sink that fails ends the backup with its own error`, async () => {
    const item = await getItem(world.item);
    const run = async () => {
      for await (const event of connector.backUp(session(), { item, previous: null, cursor: null })) {
        if (event.type !== "stream") continue;
        const write = () => Promise.reject(new Error("the disk is full"));
        await event.write({ write });
      }
    };
    await expect(run()).rejects.toThrow("the disk is full");
  });

  test(`${id}: the clear files of a snapshot have safe, unique paths and bytes that exist`, async () => {
    const item = await getItem(world.item);
    const snapshot = await backUp(item);
    const paths = new Set<string>();
    for await (const file of connector.exportFiles(snapshot, { name: `../${item.name}/` })) {
      expect(file.path).not.toMatch(/(^|\/)\.\.?(\/|$)|^\/|\\/);
      expect(paths.has(file.path)).toBe(false);
      paths.add(file.path);
      if (file.source === "entry") expect(await snapshot.find(file.entry)).not.toBeNull();
    }
    expect(paths.size).toBeGreaterThan(1);
  });

  test(`${id}: a spent quota becomes rate-limited with the time it comes back`, async () => {
    const resetAt = Math.ceil(Date.now() / 1000) * 1000 + 600_000;
    await world.exhaustQuota(resetAt);
    const error = await failureOf(getItem(world.item));
    expect(error.kind).toBe("rate-limited");
    expect(Math.abs((error.retryAt ?? 0) - resetAt)).toBeLessThanOrEqual(1_000);
  });

  test(`${id}: a deleted item is gone, for reading and for backing up`, async () => {
    const item = await getItem(world.doomed);
    await world.deleteItem(world.doomed);
    expect((await failureOf(getItem(world.doomed))).kind).toBe("gone");
    expect((await failureOf(backUp(item))).kind).toBe("gone");
  });

  test(`${id}: a revoked grant is unauthorized everywhere, and no error tells the token`, async () => {
    const item = await getItem(world.item);
    await world.revoke(token);
    const failures = [
      await failureOf(getItem(world.item)),
      await failureOf(backUp(item)),
      await failureOf(connector.listPlaces(session(), { page: 0, perPage: 10 })),
    ];
    const kinds: ConnectorErrorKind[] = failures.map((error) => error.kind);
    expect(kinds).toEqual(["unauthorized", "unauthorized", "unauthorized"]);
    for (const failure of failures) expect(describeError(failure)).not.toContain(token);
  });
}

async function allItems(
  connector: PlatformConnector,
  session: TestSession,
  query: { kind: string; place: PlatformPlace | null; perPage: number },
): Promise<PlatformItem[]> {
  const items: PlatformItem[] = [];
  for (let page = 0; page < 500; page++) {
    const answer = await connector.listItems(session, { ...query, name: null, page });
    items.push(...answer.items);
    if (!answer.hasMore) return items;
  }
  throw new Error("The list does not end");
}

function hashes(snapshot: MemorySnapshot, isWanted: (info: EntryInfo) => boolean = () => true) {
  const infos = [...snapshot.entries.values()].map(({ info }) => info).filter(isWanted);
  return Object.fromEntries(infos.map((info) => [info.path, info.hash]));
}

/** What a backup leaves for the next one says when it read everything, which is not content of the item. */
const isContent = ({ kind }: EntryInfo) => kind !== "state";

/** The ConnectorError that a promise ends with. @throws when it ends otherwise */
export async function failureOf(promise: Promise<unknown>): Promise<ConnectorError> {
  const error = await promise.then(
    () => null,
    (cause: unknown) => cause,
  );
  expect(error).toBeInstanceOf(ConnectorError);
  return error as ConnectorError;
}

/** Everything that a log could say about an error. */
function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return `${error.stack} ${JSON.stringify(error)} ${error.cause === undefined ? "" : describeError(error.cause)}`;
}
