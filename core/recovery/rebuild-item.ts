import { DAY_MS } from "#core/kernel/clock.ts";
import type { Region } from "#core/kernel/platform-id.ts";
import { nextDue } from "#core/schedules/index.ts";
import type { Uses } from "#core/services.ts";
import { type ObjectScope, plainSize, VaultError } from "#core/vault/index.ts";
import { addManifests } from "#core/versions/index.ts";
import type { Erased } from "./erasure-marks.ts";
import { openManifests } from "./open-manifests.ts";
import { insertItem, insertObjects, insertVersions, type ObjectRow } from "./recovery.store.ts";
import { showVersions } from "./show-versions.ts";
import { type ItemState, isStateId, readState } from "./state-object.ts";
import type { Holder, Listed, ProvedManifest, RebuildEvent, ShownVersion, StoredState } from "./types.ts";

type ItemOrder = {
  region: Region;
  holder: Holder;
  scope: ObjectScope;
  objects: ReadonlyMap<string, Listed>;
  erased: Erased;
};

/** The period until the next due time finds that of the item's plan. */
const PERIOD_MS = DAY_MS;

/**
 * Rebuilds one item from its objects. A state that cannot be read, or that lacks an object, is reported and left out; the
 * others are not affected. Objects that no version needs get a row as well, with which `prune` deletes them, but only if
 * nothing was left out: what is damaged today may be repaired tomorrow.
 */
export async function* rebuildItem(
  s: Uses<"clock" | "ledger" | "bucket">,
  order: ItemOrder,
): AsyncGenerator<RebuildEvent, void> {
  const { region, holder, scope, objects, erased } = order;
  const ledger = s.ledger(region, scope.organisationId);
  if (erased.items.has(scope.itemId)) {
    await insertObjects(ledger, scope, leftOver(objects, new Set()));
    yield { type: "erased", ...scope };
    return;
  }
  const problems: string[] = [];
  const vault = { bucket: s.bucket(region), organisationKey: holder.organisationKey };
  const states = await readStates(vault, order, problems);
  const newest = states.at(-1);
  if (newest && !holder.connections.has(newest.item.connectionId))
    problems.push(`The control database does not know its account ${newest.item.connectionId}.`);
  else if (newest) {
    const now = s.clock.now();
    const proved = await openManifests(vault, { scope, states, objects }, problems);
    const versions = showVersions({ states, erased: erased.versions, now }).filter(({ manifestId }) =>
      proved.has(manifestId),
    );
    await insertContent(s, order, { proved, versions, states });
    if (problems.length === 0) {
      const needed = new Set([...proved.values()].flatMap(({ objects: each }) => each.map(({ id }) => id)));
      for (const { stateObject } of states) needed.add(stateObject);
      await insertObjects(ledger, scope, leftOver(objects, needed));
    }
    const isActive = holder.connections.get(newest.item.connectionId) === "active";
    await insertItem(ledger, {
      scope,
      state: newest,
      newest: versions.at(-1) ?? null,
      sizeBytes: proved.get(versions.at(-1)?.manifestId ?? "")?.sizeBytes ?? 0,
      startsOver: hasErasedSince(order, newest),
      schedule: isActive ? { dueAt: nextDue(scope.itemId, now, PERIOD_MS), periodMs: PERIOD_MS } : null,
    });
    yield { type: "rebuilt", ...scope, versions: versions.length };
  } else if (problems.length === 0)
    problems.push(`Nothing describes its ${objects.size} objects: it has no version, or only older ones.`);
  for (const message of problems) yield { type: "problem", ...scope, message };
}

/**
 * Reads the states of an item, in the order of their times. A run that was repeated may have described its version twice;
 * the last attempt is the one that can have committed.
 */
async function readStates(
  vault: Parameters<typeof readState>[0],
  { scope, objects }: ItemOrder,
  problems: string[],
): Promise<StoredState[]> {
  const byRun = new Map<string, StoredState>();
  for (const id of objects.keys()) {
    if (!isStateId(id)) continue;
    try {
      const state = { ...(await readState(vault, { scope, id })), stateObject: id };
      const other = byRun.get(state.snapshot.runId);
      if (!other || other.run.committedAt < state.run.committedAt) byRun.set(state.snapshot.runId, state);
    } catch (cause) {
      if (!(cause instanceof VaultError)) throw cause;
      problems.push(`${id}: ${cause.message}.`);
    }
  }
  return [...byRun.values()].sort((a, b) => a.snapshot.takenAt - b.snapshot.takenAt);
}

async function insertContent(
  s: Uses<"ledger">,
  { region, scope, objects }: ItemOrder,
  found: {
    proved: ReadonlyMap<string, ProvedManifest>;
    versions: readonly ShownVersion[];
    states: readonly StoredState[];
  },
): Promise<void> {
  const ledger = s.ledger(region, scope.organisationId);
  for (const { state, ...manifest } of found.proved.values()) {
    const rows = manifest.objects.map(({ id, kind, stream }): ObjectRow => {
      const facts = stream ?? { sizeBytes: manifest.plainBytes(id), hash: null, crc32: 0 };
      return rowOf(id, objects.get(id)!, { kind, runId: state.snapshot.runId, ...facts });
    });
    await insertObjects(ledger, scope, rows);
  }
  await addManifests(
    ledger,
    scope.itemId,
    [...found.proved.values()].map(({ state, objects: needed, ...manifest }) => ({
      ...manifest,
      objects: needed.map(({ id }) => id),
      createdAt: state.run.committedAt,
    })),
  );
  const described = found.states.filter(({ manifest }) => found.proved.has(manifest.id));
  await insertObjects(
    ledger,
    scope,
    described.map(({ stateObject, manifest, snapshot }) =>
      rowOf(stateObject, objects.get(stateObject)!, {
        kind: "state",
        sizeBytes: plainSize(objects.get(stateObject)!.storedBytes),
        runId: snapshot.runId,
        manifestId: manifest.id,
      }),
    ),
  );
  await insertVersions(
    ledger,
    scope,
    found.versions.map((version) => ({ ...version, manifest: found.proved.get(version.manifestId)! })),
  );
}

/** Rows of the objects that nothing needs: as temporary ones, which `prune` finds. */
function leftOver(objects: ReadonlyMap<string, Listed>, needed: ReadonlySet<string>): ObjectRow[] {
  return [...objects]
    .filter(([id]) => !needed.has(id))
    .map(([id, listed]) => rowOf(id, listed, { kind: "draft", runId: "" }));
}

function rowOf(
  id: string,
  { storedBytes, uploadedAt }: Listed,
  facts: Pick<ObjectRow, "kind" | "runId"> & Partial<ObjectRow>,
): ObjectRow {
  return {
    id,
    storedBytes,
    createdAt: uploadedAt,
    sizeBytes: 0,
    hash: null,
    crc32: 0,
    manifestId: null,
    ...facts,
  };
}

/** True when a version was erased after the newest state was committed: the next backup then builds on nothing. */
function hasErasedSince({ scope, erased }: ItemOrder, newest: ItemState): boolean {
  return [...erased.versions.values()].some(
    ({ itemId, erasedAt }) => itemId === scope.itemId && erasedAt > newest.run.committedAt,
  );
}
