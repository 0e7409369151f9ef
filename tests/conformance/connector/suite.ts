import { expect } from "vitest";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type {
  BackupEvent,
  ConnectorConfig,
  PlatformConnector,
  PlatformItem,
  PlatformPlace,
  RestoreJournal,
  RestoreOrder,
} from "#connectors/contract/platform-connector.ts";
import type { EntryInfo } from "#connectors/contract/snapshot-view.ts";
import type { FaultPlan } from "#connectors/toolkit/simulator/faults.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { type MemorySnapshot, takeSnapshot } from "../memory-snapshot.ts";
import { asNew } from "../restore-orders.ts";
import { memoryJournal, runRestore, type TestSession, testSession } from "../test-session.ts";

/** How a connector refers to an item. */
export type Reference = { externalId: string; fullName: string };

/** The ugliest names for each kind of thing. An item uses those that apply to its kind. */
export type UglyNames = {
  files: string[];
  branches: string[];
  tags: string[];
  /** Titles of issues, labels, milestones and releases. */
  titles: string[];
  /** Names of wiki pages. */
  pages: string[];
  /** Names of attached files, such as those of a release. */
  attachments: string[];
};

/** A platform with an account, as the suite needs it. Every function acts on the platform, not on the product. */
export type ConformanceWorld = {
  config: ConnectorConfig;
  accountName: string;
  kind: string;
  /** A valid token of the account. */
  issueToken(): Promise<string>;
  /** Tokens of the platform's other methods; absent = it has one method. */
  otherTokens?(): Promise<Readonly<Record<string, string>>>;
  /** Allows access on the consent page, as the account's owner. @returns the query of the redirect */
  consent(url: string): Promise<URLSearchParams>;
  /** An item with content of every kind, owned by the account, and another one that may be deleted. */
  item: Reference;
  doomed: Reference;
  /** Creates an item whose content uses these names. */
  makeItem(names: UglyNames): Promise<Reference>;
  /** Entry kinds whose titles a restore reproduces. */
  titledKinds: readonly string[];
  /** Entry kinds that are parts of another's content and have no name of their own on screens. */
  partKinds?: readonly string[];
  /** Simulates work on the item: adds something and edits something. */
  changeItem(item: Reference): Promise<void>;
  /** Everything that the platform stores for an item, as text. Equal texts mean that the item is unchanged. */
  fingerprint(item: Reference): Promise<string>;
  deleteItem(item: Reference): Promise<void>;
  revoke(token: string): Promise<void>;
  /**
   * Exhausts the quota until `resetAt`, in epoch milliseconds. A platform whose responses carry no reset time returns
   * the time at which its own rule resets the quota.
   */
  exhaustQuota(resetAt: number): Promise<unknown>;
  /** What an authorisation stores with the connection. Absent = nothing. */
  connectionDetails?: Json;
  /** Where restores go. Absent = the account itself, without a place. */
  restorePlace?: PlatformPlace;
  /** Accounts have no places at all: neither the account itself is one, nor can a restore go to one. */
  places?: "none";
  /**
   * An account has exactly one item. A restore makes a part inside it, a thing, and tests do not delete the item.
   * Absent = a restore makes a further item.
   */
  single?: {
    /** Ids of the things at the top of the item. */
    things(): Promise<string[]>;
    /** A token that covers one thing of the item only. */
    tokenFor(thing: Reference): Promise<string>;
    /** Takes what restores made out of the account's reach again, so that later backups do not grow. */
    tidy(): Promise<void>;
  };
  /** The consent page takes no S256 challenge: a code is bound to its client by the secret alone. */
  hasNoChallenge?: true;
  /** The platform returns whole lists, so there are no page links to damage. */
  isUnpaged?: true;
  /** Faults of the network and the platform. */
  faults: Pick<FaultPlan, "add" | "clear">;
  /** The platform's own "too many requests" responses that carry no reset time. */
  limitShapes: readonly string[];
  stop(): Promise<void>;
};

/** One connector in one world, with the helpers that the parts of the suite share. */
export type Suite = {
  connector: PlatformConnector;
  world(): ConformanceWorld;
  session(more?: Partial<Parameters<typeof testSession>[0]>): TestSession;
  getItem(reference: Reference, by?: TestSession): Promise<PlatformItem>;
  /** What a restore or `makeItem` made, and a session that sees no more than that. */
  open(made: Reference): Promise<{ item: PlatformItem; by: TestSession }>;
  /** Ids of what exists side by side: the account's items, or the things of its single one. */
  known(): Promise<string[]>;
  /** The names of what the account shows first: its places, or its items where it has no places. */
  look(by?: TestSession): Promise<string[]>;
  /** Every item of the kind in the account's own places. */
  listItems(): Promise<PlatformItem[]>;
  backUp(item: PlatformItem, previous?: MemorySnapshot | null, by?: TestSession): Promise<MemorySnapshot>;
  restore(
    snapshot: MemorySnapshot,
    name: string,
    more?: { journal?: RestoreJournal; by?: TestSession },
  ): ReturnType<typeof runRestore>;
};

/** Whether the account itself is a place. Otherwise a restore needs a place, or there are none. */
export function hasOwnPlace({ restorePlace, places }: ConformanceWorld): boolean {
  return restorePlace === undefined && places !== "none";
}

/** Creates the suite's helpers for one connector and the world that is currently open. */
export function createSuite(
  connector: PlatformConnector,
  now: () => { world: ConformanceWorld; token: string; others: Readonly<Record<string, string>> },
): Suite {
  const session: Suite["session"] = (more = {}) => {
    const { world, token, others } = now();
    const { config, accountName, connectionDetails } = world;
    return testSession({ config, token, others, accountName, connectionDetails, ...more });
  };
  return {
    connector,
    world: () => now().world,
    session,
    getItem: (reference, by = session()) => connector.getItem(by, { kind: now().world.kind, ...reference }),
    async open(made) {
      const { world } = now();
      const { kind, item, single } = world;
      const by = single === undefined ? session() : session({ token: await single.tokenFor(made) });
      const reference = single === undefined ? made : item;
      return { item: await connector.getItem(by, { kind, ...reference }), by };
    },
    async known() {
      const { single } = now().world;
      if (single !== undefined) return await single.things();
      return (await this.listItems()).map(({ externalId }) => externalId);
    },
    async look(by = session()) {
      const { kind, places } = now().world;
      const page = { page: 0, perPage: 10 };
      const { items } =
        places === "none"
          ? await connector.listItems(by, { kind, place: null, name: null, ...page })
          : await connector.listPlaces(by, page);
      return items.map(({ name }) => name);
    },
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
      runRestore(connector.restore(by, snapshot, orderNamed(now().world, name), journal)),
  };
}

/** The restore of a whole version into a new item, in this world. */
export function orderNamed({ restorePlace }: ConformanceWorld, name: string): RestoreOrder {
  return asNew(name, { place: restorePlace ?? null });
}

/** Hashes of the wanted entries by path. */
export function hashes(snapshot: MemorySnapshot, isWanted: (info: EntryInfo) => boolean = () => true) {
  const infos = [...snapshot.entries.values()].map(({ info }) => info).filter(isWanted);
  return Object.fromEntries(infos.map((info) => [info.path, info.hash]));
}

/** The number of entries of each kind. */
export function kindsOf(snapshot: MemorySnapshot): Record<string, number> {
  const kinds: Record<string, number> = {};
  for (const { info } of snapshot.entries.values()) kinds[info.kind] = (kinds[info.kind] ?? 0) + 1;
  return kinds;
}

/** Kinds that store bytes or notes for the next run. They are not users' content, so they have no labels. */
export const MACHINE_KINDS: readonly string[] = ["git-pack", "git-chain", "git-refs", "state", "git-lfs"];

/** Whether an entry holds users' content rather than internal data. */
export const isContent = ({ kind }: Pick<EntryInfo, "kind">) => !MACHINE_KINDS.includes(kind);

/** The ConnectorError that a promise rejects with. @throws when it resolves or rejects otherwise */
export async function failureOf(promise: Promise<unknown>): Promise<ConnectorError> {
  const error = await promise.then(
    () => null,
    (cause: unknown) => cause,
  );
  expect(error).toBeInstanceOf(ConnectorError);
  return error as ConnectorError;
}

/** Everything that a log could print about an error. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return `${error.stack} ${JSON.stringify(error)} ${error.cause === undefined ? "" : describeError(error.cause)}`;
}

/** Runs a backup up to its n-th checkpoint and returns what the vault has stored when a slice ends there. */
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

/** Yields what an earlier slice has stored, then the rest. */
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
