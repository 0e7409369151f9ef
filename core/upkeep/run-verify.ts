import { z } from "zod";
import { watchVersion } from "#core/alarms/index.ts";
import { queueBackupAfter } from "#core/backups/index.ts";
import { connectorOf } from "#core/connections/index.ts";
import { commitTogether } from "#core/database/statements.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { opaqueJson, storedJson } from "#core/kernel/stored-json.ts";
import { indexNames } from "#core/names/index.ts";
import { afterCheck } from "#core/replicas/index.ts";
import {
  LostRunError,
  type RunOrder,
  type RunSlice,
  runSlice,
  SliceEndError,
  succeedRun,
} from "#core/runs/index.ts";
import type { RunServices, Uses, VaultServices } from "#core/services.ts";
import {
  type ListedManifest,
  type VaultDeps,
  VaultError,
  verifyCursorSchema,
  verifySnapshot,
} from "#core/vault/index.ts";
import {
  findListedManifest,
  findSnapshot,
  openVault,
  openVersion,
  recordVerdict,
  revokeLinks,
  type SnapshotRow,
  storeCompanion,
} from "#core/versions/index.ts";
import { type CheckScratch, openScratch, scratchPlacesSchema } from "./check-scratch.ts";
import { CHECK_SLICE_MS } from "./limits.ts";

/** The position of a check: first the engine's own stage (every byte), then the connector's (what the bytes mean). */
const checkCursor = storedJson(
  1,
  z.discriminatedUnion("stage", [
    z.strictObject({ stage: z.literal("bytes"), at: verifyCursorSchema }),
    z.strictObject({ stage: z.literal("meaning"), at: opaqueJson, scratch: scratchPlacesSchema }),
  ]),
);
type CheckCursor = Parameters<typeof checkCursor.write>[0] | { stage: "bytes"; at: null };

/** What a check has found so far. */
type Findings = {
  problems: string[];
  unproven: string[];
  isOverlooked: boolean;
  restoreObstacle: string | null;
  unreachable: { objects: number; bytes: number | null } | null;
};

const MAX_LISTED = 20;

/**
 * Proves that a version can be restored. Opens and hashes every object; the connector then checks what only it
 * understands (for git: every object inflates, every delta resolves, every reference resolves) and stores derived files
 * such as pack indexes beside the objects. The version's row holds the result.
 */
export async function runVerify(
  s: VaultServices & RunServices & Uses<"connectors">,
  order: RunOrder,
): Promise<void> {
  await runSlice(s, order, { job: "verify-snapshot", locks: null }, (slice) => check(s, slice));
}

async function check(
  s: VaultServices & Uses<"connectors" | "queue" | "live">,
  slice: RunSlice,
): Promise<void> {
  const { run, ledger, region, hold } = slice;
  const snapshot = run.snapshotId ? await findSnapshot(ledger, run.organisationId, run.snapshotId) : null;
  const findings: Findings = {
    problems: [],
    unproven: [],
    isOverlooked: false,
    restoreObstacle: null,
    unreachable: null,
  };
  if (!snapshot) return end(s, slice, null, findings);
  const vault = await openVault(s, { organisationId: run.organisationId, region }, slice);
  const found = await findListedManifest(ledger, run.organisationId, snapshot);
  if (!found) return end(s, slice, null, findings);
  const cursor: CheckCursor = checkCursor.resume(run.cursor) ?? { stage: "bytes", at: null };
  const scratch = openScratch(vault, {
    scope: { organisationId: run.organisationId, itemId: run.itemId },
    runId: run.id,
    places: cursor.stage === "meaning" ? cursor.scratch : {},
  });
  try {
    await findProblems(s, slice, { vault, snapshot, manifest: found, cursor, scratch, findings });
  } catch (cause) {
    // Bytes that cannot be opened are a result too. Otherwise the version would wait for its check forever.
    if (!(cause instanceof VaultError)) throw cause;
    findings.problems.push(`${cause.message}.`);
  }
  // The first check stores the indexes that comparing histories needs. Repeating the comparison has the same result.
  if (snapshot.verifyState === "queued" && findings.problems.length === 0)
    await watchVersion(s, { snapshot, region, vault });
  const names = stateOf(findings) === "failed" ? [] : await namesOf(s, slice, { vault, snapshot });
  await end(s, slice, snapshot, findings, names);
  await scratch.dropAll();
  await s.live.publish(run.organisationId, [
    {
      method: "snapshot-verified",
      platform: run.platform,
      id: hold.itemId,
      snapshotId: snapshot.id,
      state: stateOf(findings),
      at: s.clock.now(),
    },
  ]);
}

/** Intact = every byte is proven, but some content could not be checked here. */
function stateOf({ problems, unproven }: Findings): "verified" | "intact" | "failed" {
  if (problems.length > 0) return "failed";
  return unproven.length > 0 ? "intact" : "verified";
}

/** What makes the names of the version searchable. */
function namesOf(
  s: Uses<"ledger" | "connectors">,
  slice: RunSlice,
  { vault, snapshot }: { vault: VaultDeps; snapshot: SnapshotRow },
): Promise<D1PreparedStatement[]> {
  const { organisationId, itemId, platform } = slice.run;
  const version = { organisationId, itemId, region: slice.region, manifestId: snapshot.manifestId };
  const open = () => openVersion(s, vault, version);
  return indexNames(slice, { snapshot, connector: connectorOf(s, platform), vault, open });
}

async function findProblems(
  s: Uses<"clock" | "ledger" | "connectors">,
  slice: RunSlice,
  of: {
    vault: VaultDeps;
    snapshot: SnapshotRow;
    manifest: ListedManifest;
    cursor: CheckCursor;
    scratch: CheckScratch;
    findings: Findings;
  },
): Promise<void> {
  const { run } = slice;
  const { vault, cursor, findings } = of;
  const { problems } = findings;
  const scope = { organisationId: run.organisationId, itemId: run.itemId };
  if (cursor.stage === "bytes") {
    for await (const event of verifySnapshot(vault, { scope, manifest: of.manifest, cursor: cursor.at })) {
      if (event.type === "problem") problems.push(`${event.path}: ${event.message}`);
      else if (event.type === "progress") {
        await slice.progress({
          phase: "Reading every byte",
          done: event.done,
          total: event.total,
          unit: "objects",
        });
      } else if (problems.length === 0 && slice.isOver()) {
        // Damage ends the check at once, so it is not carried over.
        throw new SliceEndError(checkCursor.write({ stage: "bytes", at: event.cursor }));
      }
    }
  }
  if (problems.length === 0) await askConnector(s, slice, of);
}

/** The connector's own check: what the bytes mean. */
async function askConnector(
  s: Uses<"clock" | "ledger" | "connectors">,
  slice: RunSlice,
  of: Pick<Parameters<typeof findProblems>[2], "vault" | "snapshot" | "cursor" | "scratch" | "findings">,
): Promise<void> {
  const { run, region } = slice;
  const { vault, snapshot, cursor, scratch, findings } = of;
  const connector = connectorOf(s, run.platform);
  if (!connector.verify) return;
  const scope = { organisationId: run.organisationId, itemId: run.itemId };
  const view = await openVersion(s, vault, { ...scope, region, manifestId: snapshot.manifestId });
  // Most of this work is CPU time, of which an isolate has less than wall time.
  const endsAt = s.clock.now() + CHECK_SLICE_MS;
  const isOver = () => slice.isOver() || s.clock.now() > endsAt;
  const at = cursor.stage === "meaning" ? cursor.at : null;
  const events = connector.verify(view, { cursor: at, readScratch: scratch.read, isOver });
  for await (const event of events) {
    switch (event.type) {
      case "progress":
        await slice.progress(event.progress);
        break;
      case "problem":
        findings.problems.push(`${event.path}: ${event.message}`);
        break;
      case "unproven":
        findings.unproven.push(`${event.path}: ${event.message}`);
        break;
      case "overlooked":
        findings.unproven.push(`${event.path}: ${event.message}`);
        findings.isOverlooked = true;
        break;
      case "unrestorable":
        findings.restoreObstacle = event.message;
        break;
      case "unreachable":
        findings.unreachable = addUnreachable(findings.unreachable, event);
        break;
      case "scratch":
        await scratch.store(event.name, event.write);
        break;
      case "companion":
        await storeCompanion(s, slice, { vault, view }, event);
        break;
      case "checkpoint":
        if (findings.problems.length === 0)
          await handOver(slice, scratch, { at: event.cursor, isOver: isOver() });
        break;
      case "found":
        break;
      default:
        event satisfies never;
    }
  }
}

/** What several repositories of a version hold; not counted as soon as one of them is not. */
function addUnreachable(
  known: Findings["unreachable"],
  { objects, bytes }: { objects: number; bytes: number | null },
): Findings["unreachable"] {
  if (known === null) return { objects, bytes };
  const isCounted = known.bytes !== null && bytes !== null;
  return { objects: known.objects + objects, bytes: isCounted ? known.bytes! + bytes! : null };
}

/** Stores the position if there are temporary bytes, and ends the slice when its time is over. */
async function handOver(
  slice: RunSlice,
  scratch: CheckScratch,
  { at, isOver }: { at: Json; isOver: boolean },
): Promise<void> {
  const places = scratch.places();
  const cursor = checkCursor.write({ stage: "meaning", at, scratch: places });
  if (Object.keys(places).length > 0) {
    await slice.checkpoint(cursor);
    await scratch.dropReplaced();
  }
  if (isOver) throw new SliceEndError(cursor);
}

/**
 * Writes the result to every version of the manifest and ends the run, in one batch. The same batch queues the runs
 * that waited for the check: the version's copy, and the backup that fetches what this one overlooked. `names` makes the
 * version's names searchable.
 */
async function end(
  s: Uses<"clock" | "ids" | "queue">,
  { run, region, ledger, hold, bytesRead }: RunSlice,
  snapshot: SnapshotRow | null,
  findings: Findings,
  names: D1PreparedStatement[] = [],
): Promise<void> {
  const now = s.clock.now();
  const state = stateOf(findings);
  const listed = (state === "failed" ? findings.problems : findings.unproven).slice(0, MAX_LISTED);
  const statements = snapshot
    ? [
        recordVerdict(
          ledger,
          { itemId: snapshot.itemId, manifestId: snapshot.manifestId, runId: run.id, epoch: run.epoch },
          {
            state,
            at: now,
            text: listed.length === 0 ? null : listed.join("\n"),
            restoreObstacle: findings.restoreObstacle,
            unreachable: findings.unreachable,
          },
        ),
        ...names,
        ...(state === "failed" ? [revokeLinks(ledger, snapshot, { hold, at: now })] : []),
      ]
    : [];
  const report = { [state === "failed" ? "problems" : "unproven"]: listed };
  // A version is copied to the customer's own storage only after its check.
  const copyRunId = s.ids.next("run");
  const copies = snapshot ? afterCheck(ledger, run, { snapshotId: snapshot.id, state, copyRunId, now }) : [];
  const backupRunId = s.ids.next("run");
  const backups =
    snapshot && findings.isOverlooked && state === "intact"
      ? [queueBackupAfter(ledger, { hold, snapshotId: snapshot.id, runId: backupRunId, now })]
      : [];
  const results = await commitTogether(ledger, [
    ...statements,
    ...copies,
    ...backups,
    succeedRun(ledger, hold, { now, snapshotId: null, bytesRead: bytesRead(), bytesStored: 0, report }),
  ]);
  if ((results.at(-1)?.results.length ?? 0) === 0) throw new LostRunError(run.id);
  const begun = new Set(
    results.slice(statements.length, -1).flatMap(({ results: rows }) => rows.map(({ id }) => id)),
  );
  const message = (runId: string) => ({ region, organisationId: run.organisationId, runId, epoch: 0 });
  if (begun.has(copyRunId)) await s.queue.send([{ job: "replicate-version", payload: message(copyRunId) }]);
  if (begun.has(backupRunId)) await s.queue.send([{ job: "back-up-item", payload: message(backupRunId) }]);
}
