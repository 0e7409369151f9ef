import type { PlatformItem, PlatformPlace, RestoreEvent } from "#connectors/contract/platform-connector.ts";
import { type MemorySnapshot, takeSnapshot } from "#tests/conformance/memory-snapshot.ts";
import { asNew } from "#tests/conformance/restore-orders.ts";
import { memoryJournal, runRestore, type TestSession, testSession } from "#tests/conformance/test-session.ts";
import { connector } from "./connector.ts";
import type { TrelloSettings } from "./simulator/state.ts";
import { type BoardReference, openTrelloWorld, type TrelloTestWorld } from "./test-world.ts";

type RestoreOptions = {
  journal?: ReturnType<typeof memoryJournal>;
  by?: TestSession;
  place?: PlatformPlace | null;
};

/** Helpers for the connector's tests. */
export type TrelloBench = {
  world: TrelloTestWorld;
  session(more?: Partial<Parameters<typeof testSession>[0]>): TestSession;
  itemOf(board: BoardReference): Promise<PlatformItem>;
  backUp(board: BoardReference, previous?: MemorySnapshot | null, by?: TestSession): Promise<MemorySnapshot>;
  restore(
    snapshot: MemorySnapshot,
    name: string,
    options?: RestoreOptions,
  ): Promise<{ item: BoardReference; events: RestoreEvent[] }>;
  placeOf(workspace?: string): PlatformPlace;
};

/** Opens a simulated Trello and signs Nora in. */
export async function openBench(settings: Partial<TrelloSettings> = {}): Promise<TrelloBench> {
  const world = await openTrelloWorld(settings);
  const token = await world.issueToken();
  const session: TrelloBench["session"] = (more = {}) => ({
    ...testSession({ config: world.config, token, accountName: world.accountName, ...more }),
    connectionDetails: { memberId: world.memberId },
  });
  const itemOf: TrelloBench["itemOf"] = (board) => connector.getItem(session(), { kind: "board", ...board });
  const placeOf: TrelloBench["placeOf"] = (workspace) => ({
    externalId: world.workspace(workspace),
    name: workspace ?? "Meridian Freight",
    type: "workspace",
    isOwn: false,
    details: null,
  });
  return {
    world,
    session,
    itemOf,
    placeOf,
    async backUp(board, previous = null, by = session()) {
      const item = await itemOf(board);
      return await takeSnapshot(connector.backUp(by, { item, previous, cursor: null }), previous);
    },
    async restore(snapshot, name, { journal = memoryJournal(), by = session(), place = placeOf() } = {}) {
      const target = asNew(name, { place });
      return await runRestore(connector.restore(by, snapshot, target, journal));
    },
  };
}

/** Events of one type. */
export function eventsOf<T extends RestoreEvent["type"]>(
  events: readonly RestoreEvent[],
  type: T,
): Extract<RestoreEvent, { type: T }>[] {
  return events.filter((event): event is Extract<RestoreEvent, { type: T }> => event.type === type);
}

/** Paths of a version below a prefix. */
export function pathsBelow(snapshot: MemorySnapshot, prefix: string): string[] {
  return [...snapshot.entries.keys()].filter((path) => path.startsWith(prefix)).sort();
}

/** Paths whose content differs from the previous version. */
export function changedPaths(snapshot: MemorySnapshot, previous: MemorySnapshot): string[] {
  return [...snapshot.entries.values()]
    .filter(({ info }) => info.hash !== previous.entries.get(info.path)?.info.hash)
    .map(({ info }) => info.path)
    .sort();
}
