import { z } from "zod";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type {
  BackupEvent,
  PlatformConnector,
  PlatformItem,
} from "#connectors/contract/platform-connector.ts";
import { entitlementsOf } from "#core/billing/index.ts";
import { connectorOf, findConnectionRow, openSession } from "#core/connections/index.ts";
import { findItemRow, type ItemRow, listedDescription } from "#core/inventory/index.ts";
import { AppError } from "#core/kernel/app-error.ts";
import { canonicalJson, type Json } from "#core/kernel/canonical-json.ts";
import { DAY_MS } from "#core/kernel/clock.ts";
import { logger } from "#core/kernel/logger.ts";
import { opaqueJson, storedJson } from "#core/kernel/stored-json.ts";
import { listPeopleNews } from "#core/privacy/index.ts";
import { keepState } from "#core/recovery/index.ts";
import { copyTarget } from "#core/replicas/index.ts";
import { LostRunError, type RunOrder, type RunSlice, runSlice, SliceEndError } from "#core/runs/index.ts";
import type { EngineServices, Uses } from "#core/services.ts";
import { beginDraft, type SnapshotDraft, type VaultDeps, VaultError } from "#core/vault/index.ts";
import {
  type FoundManifest,
  findManifest,
  findNewestSoundSnapshot,
  openVault,
  openVersion,
  type SnapshotRow,
} from "#core/versions/index.ts";
import { endFailedBackup } from "./end-failed-backup.ts";
import { findStandingVerdict } from "./find-standing-verdict.ts";
import { beganAt, publishVersion } from "./publish-version.ts";

const log = logger("backups");

/** The cursor of a backup run: the connector's position and the state of the draft. */
const backupCursor = storedJson(
  1,
  z.strictObject({ connector: opaqueJson, draft: opaqueJson, manifestId: z.string().nullable() }),
);
type BackupCursor = Parameters<typeof backupCursor.write>[0];

/**
 * Takes one snapshot of one item, or runs one slice of it. The snapshot becomes visible only in `publishVersion`, after
 * everything it refers to is in the vault. A run that dies earlier leaves objects for `prune`, never a partial version.
 */
export async function runBackup(s: EngineServices & Uses<"windows">, order: RunOrder): Promise<void> {
  await runSlice(
    s,
    order,
    { job: "back-up-item", locks: "backup", onEnd: (slice, failure) => endFailedBackup(s, slice, failure) },
    (slice) => takeSnapshot(s, slice),
  );
}

async function takeSnapshot(s: EngineServices, slice: RunSlice): Promise<void> {
  const { run, region, ledger } = slice;
  await requirePaidFor(s, run);
  const item = await findItemRow(ledger, run.organisationId, run.itemId);
  const connection = await findConnectionRow(s.control, run.organisationId, run.connectionId);
  if (!item || !connection)
    throw new AppError("err.not.found", { message: "The item is no longer protected." });
  const connector = connectorOf(s, run.platform);
  const session = openSession(s, connection, {
    request: slice.countRequest,
    bytes: slice.countBytes,
    isBackground: true,
    atEnd: slice.atEnd,
    usedTokens: slice.usedTokens,
  });
  const cursor = backupCursor.resume(run.cursor);

  const vault = await openVault(s, { organisationId: run.organisationId, region }, slice);
  const { newest, found, takenAt } = await previousVersion(slice, cursor, item);
  const previous = found?.ref ?? null;
  const current = await connector.getItem(session, item);
  const draft = await beginDraft(vault, {
    scope: { organisationId: run.organisationId, itemId: run.itemId },
    runId: run.id,
    previous,
    resume: cursor?.draft ?? null,
  });
  let offered: Json | null = null;
  try {
    const view = previous
      ? await openVersion(
          s,
          vault,
          { organisationId: run.organisationId, region, itemId: run.itemId, manifestId: previous.id },
          { manifest: found, companions: { find: () => undefined } },
        )
      : null;
    const events = connector.backUp(session, {
      item: current,
      previous: view,
      previousAt: takenAt === 0 ? undefined : takenAt,
      cursor: cursor?.connector ?? null,
      isLastAttempt: slice.isLastAttempt,
      // What comes while it runs waits for the next backup, so that all slices of this one know the same.
      ...(connector.people
        ? { peopleNews: await listPeopleNews(s.control, run, { since: takenAt, until: beganAt(run) }) }
        : {}),
    });
    for await (const event of events) {
      if (event.type === "offer") draft.mark();
      if (event.type === "offer" || event.type === "checkpoint") offered = event.cursor;
      await apply(slice, draft, event, previous?.id ?? null);
    }
    await slice.progress({ phase: "Writing the version", done: 0, total: null, unit: "objects" });
    const account = session.accountName;
    await commit(s, slice, { item, newest, current, draft, connector, vault, account });
  } catch (cause) {
    if (isPassing(cause))
      await storeOffered(slice, draft, {
        begun: cursor?.connector ?? null,
        connector: offered,
        manifestId: previous?.id ?? null,
      });
    draft.abandon();
    throw cause;
  }
}

/** True for a failure after which the run is retried. */
function isPassing(cause: unknown): boolean {
  return cause instanceof ConnectorError && ["rate-limited", "unavailable", "malformed"].includes(cause.kind);
}

/**
 * Rolls back to the last point that the connector offered and stores it, so that a retry repeats almost nothing. A
 * failure to store it is only logged, unless the run is lost, because the original failure matters more.
 */
async function storeOffered(
  slice: RunSlice,
  draft: SnapshotDraft,
  { begun, connector, manifestId }: { begun: Json | null; connector: Json | null; manifestId: string | null },
): Promise<void> {
  // Storing the same point again would count as progress, and a run without progress must end.
  if (connector === null || canonicalJson(connector) === canonicalJson(begun)) return;
  try {
    if (!draft.rollBack()) return;
    await slice.checkpoint(backupCursor.write({ connector, draft: await draft.checkpoint(), manifestId }));
  } catch (cause) {
    if (cause instanceof LostRunError) throw cause;
    log.warn("run {runId} could not store its cursor", { runId: slice.run.id, cause });
  }
}

/**
 * Scheduled backups pause when the trial or subscription has ended; versions keep their retention (spec part 2 section
 * 6). The time at which the run became due decides, so that an open run may finish. For an ended plan the tick queues
 * only one run, which fails here with the reason.
 */
async function requirePaidFor(s: Uses<"memory" | "clock" | "control">, run: RunSlice["run"]): Promise<void> {
  if (run.trigger !== "schedule") return;
  const { isActive } = await entitlementsOf(s, run.organisationId, run.platform, run.createdAt);
  const message = "Backups are paused: the trial or subscription has ended.";
  if (!isActive) throw new AppError("err.plan.required", { message });
}

/**
 * The item's newest sound version, and the manifest that the new one builds on with the time when its reading began; 0 =
 * unknown. A resumed run keeps the manifest it started with. After a version was erased, the next one builds on nothing,
 * because later versions may share what was erased.
 */
async function previousVersion(
  { run, ledger }: RunSlice,
  cursor: BackupCursor | null,
  { startsOver }: Pick<ItemRow, "startsOver">,
): Promise<{ newest: SnapshotRow | null; found: FoundManifest | null; takenAt: number }> {
  const newest = await findNewestSoundSnapshot(ledger, run.organisationId, run.itemId);
  const base = startsOver ? null : (newest?.manifestId ?? null);
  const manifestId = cursor ? cursor.manifestId : base;
  if (manifestId === null) return { newest, found: null, takenAt: 0 };
  const found = await findManifest(ledger, run.organisationId, { itemId: run.itemId, manifestId });
  const takenAt = newest?.manifestId === manifestId ? newest.takenAt : 0;
  return { newest, found, takenAt };
}

async function apply(
  slice: RunSlice,
  draft: SnapshotDraft,
  event: BackupEvent,
  manifestId: string | null,
): Promise<void> {
  switch (event.type) {
    case "progress":
      return slice.progress(event.progress);
    case "record":
      return draft.addRecord(event);
    case "stream":
      return storeStream(slice, draft, event);
    case "keep":
      return draft.keep(event.path);
    case "keep-all":
      return draft.keepAll(event.prefix);
    case "drop":
      return draft.drop(event.path);
    case "skipped":
      return draft.skipped(event);
    case "reported":
      return draft.reported(event.kind, event.count);
    case "offer":
      return;
    case "checkpoint": {
      const draftCursor = await draft.checkpoint();
      const cursor = backupCursor.write({ connector: event.cursor, draft: draftCursor, manifestId });
      if (slice.isOver()) throw new SliceEndError(cursor);
      return slice.checkpoint(cursor);
    }
    default:
      return event satisfies never;
  }
}

async function storeStream(
  slice: RunSlice,
  draft: SnapshotDraft,
  event: Extract<BackupEvent, { type: "stream" }>,
): Promise<void> {
  const { path, kind, ifBroken } = event;
  try {
    await draft.addStream(event, (sink) =>
      event.write(
        {
          write: (chunk) => {
            slice.countBytes(chunk.length);
            return sink.write(chunk);
          },
        },
        slice.note,
      ),
    );
  } catch (cause) {
    const isBroken = cause instanceof VaultError && cause.kind === "mismatch";
    if (!isBroken || ifBroken === undefined) throw cause;
    draft.skipped({ path, kind, reason: ifBroken });
  }
}

async function commit(
  s: Uses<"memory" | "clock" | "ids" | "control" | "queue" | "live">,
  slice: RunSlice,
  made: {
    item: ItemRow;
    newest: SnapshotRow | null;
    current: PlatformItem;
    draft: SnapshotDraft;
    connector: PlatformConnector;
    vault: VaultDeps;
    account: string;
  },
): Promise<void> {
  const { run, region } = slice;
  const { current, draft } = made;
  const result = await draft.finish({ apiVersion: made.connector.apiVersion, account: made.account });
  const { retentionDays } = await entitlementsOf(s, run.organisationId, run.platform);
  const verdictSince = await findStandingVerdict(slice, made.vault, result, made.newest);
  const committedAt = s.clock.now();
  const verifyRunId = s.ids.next("run");
  const version = {
    snapshotId: s.ids.next("snapshot"),
    committedAt,
    expiresAt: beganAt(run) + retentionDays * DAY_MS,
    draft: result,
    bytesRead: slice.bytesRead(),
  };
  const listed = { ...current, description: listedDescription(current.description) };
  const described = { ...version, takenAt: beganAt(run), item: made.item, current: listed };
  const stands = await publishVersion(s, slice, {
    ...version,
    stateObject: await keepState(made.vault, slice, described),
    item: current,
    verifyRunId,
    verdictSince,
    copyTo: await copyTarget(s, run, committedAt, verdictSince !== undefined),
  });
  await draft.discardTemporary();
  // Should the verdict not stand after all, the sweep finds the queued check.
  if (!stands || verdictSince !== undefined) return;
  await s.queue.send([
    {
      job: "verify-snapshot",
      payload: { region, organisationId: run.organisationId, runId: verifyRunId, epoch: 0 },
    },
  ]);
}
