import type { RestoredItem, RestoreEvent, RestoreOrder } from "#connectors/contract/platform-connector.ts";
import { type MemorySnapshot, takeSnapshot } from "#tests/conformance/memory-snapshot.ts";
import { memoryJournal, runRestore, type TestSession, testSession } from "#tests/conformance/test-session.ts";
import { backUp } from "../backup/back-up.ts";
import { inventory } from "../inventory.ts";
import type { NotionSettings } from "../simulator/state.ts";
import { type NotionTestWorld, openNotionWorld } from "../test-world.ts";
import { restore } from "./restore.ts";

type More = { journal?: ReturnType<typeof memoryJournal>; by?: TestSession };

/** A simulated workspace with helpers for tests of restores. */
export type RestoreBench = NotionTestWorld & {
  session(more?: Partial<Parameters<typeof testSession>[0]>): TestSession;
  /** Backs up the pages of the workspace, or only those named. */
  backUp(pages?: readonly string[]): Promise<MemorySnapshot>;
  run(
    snapshot: MemorySnapshot,
    order: RestoreOrder,
    more?: More,
  ): Promise<{ item: RestoredItem; events: RestoreEvent[] }>;
  /** Restores a whole version below a new page. */
  whole(
    snapshot: MemorySnapshot,
    name: string,
    more?: More,
  ): Promise<{ item: RestoredItem; events: RestoreEvent[] }>;
};

/** Opens a simulated workspace for tests of restores. */
export async function openRestoreBench(settings: Partial<NotionSettings> = {}): Promise<RestoreBench> {
  const world = await openNotionWorld(settings);
  let token = await world.issueToken();
  const { config, accountName, connectionDetails } = world;
  const session: RestoreBench["session"] = (more = {}) =>
    testSession({ config, token, accountName, connectionDetails, ...more });
  const run: RestoreBench["run"] = (snapshot, order, { journal = memoryJournal(), by = session() } = {}) =>
    runRestore(restore(by, snapshot, order, journal));
  return {
    ...world,
    session,
    run,
    async backUp(pages) {
      // A consent covers the pages that are there.
      token = await (pages === undefined ? world.issueToken() : world.tokenFor(pages));
      const own = session();
      const item = await inventory.getItem(own, {
        kind: "workspace",
        externalId: world.workspaceId,
        fullName: "",
      });
      return await takeSnapshot(backUp(own, { item, previous: null, cursor: null }));
    },
    whole: (snapshot, name, more) => run(snapshot, wholeOrder(name), more),
  };
}

/** The order to restore a whole version. */
export function wholeOrder(name: string): RestoreOrder {
  return { target: { kind: "new", name, place: null }, part: null, answers: {} };
}
