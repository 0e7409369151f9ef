import { expect } from "vitest";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type {
  BackupEvent,
  ConnectorConfig,
  PlatformConnector,
  PlatformItem,
  PlatformPlace,
  RestoreJournal,
  RestoreTarget,
} from "#connectors/contract/platform-connector.ts";
import type { EntryInfo } from "#connectors/contract/snapshot-view.ts";
import type { FaultPlan } from "#connectors/toolkit/simulator/faults.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { type MemorySnapshot, takeSnapshot } from "../memory-snapshot.ts";
import { memoryJournal, runRestore, type TestSession, testSession } from "../test-session.ts";

/** How an item is named to a connector. */
export type Reference = { externalId: string; fullName: string };

/** Names that people give to things, the ugliest ones; a kind of item takes those of the things that it has. */
export type UglyNames = {
  files: string[];
  branches: string[];
  tags: string[];
  /** Of issues, labels, milestones and releases. */
  titles: string[];
  /** Of pages of the wiki. */
  pages: string[];
  /** Of files that hang on something, such as those of a release. */
  attachments: string[];
};

/** A platform with an account in it, as the suite needs it. Every handle acts on the platform, not on us. */
export type ConformanceWorld = {
  config: ConnectorConfig;
  accountName: string;
  kind: string;
  /** A valid token of the account. */
  issueToken(): Promise<string>;
  /** Allows at the consent page, as the account's owner would. @returns what the browser brings back */
  consent(url: string): Promise<URLSearchParams>;
  /** An item with something of everything, owned by the account, and another one that may be deleted. */
  item: Reference;
  doomed: Reference;
  /** Makes another item whose things have these names. */
  makeItem(names: UglyNames): Promise<Reference>;
  /** Kinds of entries whose titles a restore brings back as they were. */
  titledKinds: readonly string[];
  /** People work on the item: something is added and something is edited. */
  changeItem(item: Reference): Promise<void>;
  /** Everything that the platform holds of an item, as text; equal texts mean that nobody touched it. */
  fingerprint(item: Reference): Promise<string>;
  deleteItem(item: Reference): Promise<void>;
  revoke(token: string): Promise<void>;
  /**
   * Makes the next requests meet a spent quota that comes back at the time, in epoch milliseconds. A platform whose
   * answers name no time answers when its own rule lets it come back.
   */
  exhaustQuota(resetAt: number): Promise<unknown>;
  /** Where restores go; absent = to the account itself, without a place. */
  restorePlace?: PlatformPlace;
  /** The platform gives lists as a whole, so that no page can lead anywhere. */
  isUnpaged?: true;
  /** What goes wrong on the line or at the platform. */
  faults: Pick<FaultPlan, "add" | "clear">;
  /** The platform's own shapes of "too many requests" that name no time of their own. */
  limitShapes: readonly string[];
  stop(): Promise<void>;
};

/** One connector in one world, with the words that the parts of the suite share. */
export type Suite = {
  connector: PlatformConnector;
  world(): ConformanceWorld;
  session(more?: Partial<Parameters<typeof testSession>[0]>): TestSession;
  getItem(reference: Reference, by?: TestSession): Promise<PlatformItem>;
  /** Every item of the kind, the account's own places together. */
  listItems(): Promise<PlatformItem[]>;
  backUp(item: PlatformItem, previous?: MemorySnapshot | null, by?: TestSession): Promise<MemorySnapshot>;
  restore(
    snapshot: MemorySnapshot,
    name: string,
    more?: { journal?: RestoreJournal; by?: TestSession },
  ): ReturnType<typeof runRestore>;
};

/** Whether the account itself is a place; elsewhere a restore has to be told where it goes. */
export function hasOwnPlace({ restorePlace }: ConformanceWorld): boolean {
  return restorePlace === undefined;
}

/** Makes the words for one connector in the world that is open now. */
export function createSuite(
  connector: PlatformConnector,
  now: () => { world: ConformanceWorld; token: string },
): Suite {
  const session: Suite["session"] = (more = {}) => {
    const { world, token } = now();
    return testSession({ config: world.config, token, accountName: world.accountName, ...more });
  };
  return {
    connector,
    world: () => now().world,
    session,
    getItem: (reference, by = session()) => connector.getItem(by, { kind: now().world.kind, ...reference }),
    async listItems() {
      const items: PlatformItem[] = [];
      for (let page = 0; page < 500; page++) {
        const query = { kind: now().world.kind, place: null, name: null, page, perPage: 100 };
        const answer = await connector.listItems(session(), query);
        items.push(...answer.items);
        if (!answer.hasMore) return items;
      }
      throw new Error("The list does not end.");
    },
    backUp: async (item, previous = null, by = session()) =>
      await takeSnapshot(connector.backUp(by, { item, previous, cursor: null }), previous),
    restore: (snapshot, name, { journal = memoryJournal(), by = session() } = {}) =>
      runRestore(connector.restore(by, snapshot, targetNamed(now().world, name), journal)),
  };
}

/** What restores are asked for in this world. */
export function targetNamed({ restorePlace }: ConformanceWorld, name: string): RestoreTarget {
  return { name, place: restorePlace ?? null, options: {} };
}

/** Hashes by path, of the entries that are wanted. */
export function hashes(snapshot: MemorySnapshot, isWanted: (info: EntryInfo) => boolean = () => true) {
  const infos = [...snapshot.entries.values()].map(({ info }) => info).filter(isWanted);
  return Object.fromEntries(infos.map((info) => [info.path, info.hash]));
}

/** How many entries there are of each kind. */
export function kindsOf(snapshot: MemorySnapshot): Record<string, number> {
  const kinds: Record<string, number> = {};
  for (const { info } of snapshot.entries.values()) kinds[info.kind] = (kinds[info.kind] ?? 0) + 1;
  return kinds;
}

/** Kinds that keep bytes or notes for the next run and are no things of people, so they have no words. */
export const MACHINE_KINDS: readonly string[] = ["git-pack", "git-chain", "git-refs", "state", "git-lfs"];

/** Whether an entry holds what people made, and not how we keep it. */
export const isContent = ({ kind }: Pick<EntryInfo, "kind">) => !MACHINE_KINDS.includes(kind);

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
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return `${error.stack} ${JSON.stringify(error)} ${error.cause === undefined ? "" : describeError(error.cause)}`;
}

/** Takes a backup up to its n-th checkpoint, as the vault has stored it when a slice ends there. */
export async function takeUntil(
  events: AsyncIterable<BackupEvent>,
  checkpoint: number,
): Promise<{ begun: BackupEvent[]; cursor: Json }> {
  const begun: BackupEvent[] = [];
  let met = 0;
  for await (const event of events) {
    begun.push(event.type === "stream" ? await recorded(event) : structuredClone(event));
    if (event.type === "checkpoint" && met++ === checkpoint) {
      return { begun, cursor: structuredClone(event.cursor) };
    }
  }
  throw new Error(`There is no checkpoint ${checkpoint}.`);
}

/** First what an earlier slice has stored, then the rest. */
export async function* joined(
  begun: readonly BackupEvent[],
  rest: AsyncIterable<BackupEvent>,
): AsyncGenerator<BackupEvent> {
  yield* begun;
  yield* rest;
}

async function recorded(event: Extract<BackupEvent, { type: "stream" }>): Promise<BackupEvent> {
  const chunks: Uint8Array[] = [];
  await event.write({ write: (chunk) => void chunks.push(chunk.slice()) });
  return {
    ...event,
    write: async (sink) => {
      for (const chunk of chunks) await sink.write(chunk);
    },
  };
}
