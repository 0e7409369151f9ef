import type { VerifyEvent } from "#connectors/contract/platform-connector.ts";
import { commitTogether } from "#core/database/statements.ts";
import { connectorOf } from "#core/inventory/index.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import {
  LostRunError,
  type RunOrder,
  type RunSlice,
  runSlice,
  SliceEndError,
  succeedRun,
} from "#core/runs/index.ts";
import type { CoreServices } from "#core/services.ts";
import {
  type ManifestRef,
  openObjectWriter,
  type VaultDeps,
  VaultError,
  type VerifyCursor,
  verifySnapshot,
} from "#core/vault/index.ts";
import {
  findManifest,
  findSnapshot,
  openVault,
  openVersion,
  recordCompanion,
  recordVerdict,
  type SnapshotRow,
} from "#core/versions/index.ts";

/** Where a check goes on: first the engine's own (every byte), then the connector's (what the bytes mean). */
type CheckCursor = { stage: "bytes"; at: VerifyCursor | null } | { stage: "meaning"; at: Json };

const MAX_PROBLEMS = 20;

/**
 * Proves that a version can be restored: every object is opened and hashed, then the connector checks what only it
 * understands (for git: every object inflates, every delta resolves, every reference leads somewhere) and leaves
 * derived files such as pack indexes beside the objects. The verdict stands on the version.
 */
export async function runVerify(s: CoreServices, order: RunOrder): Promise<void> {
  await runSlice(s, order, { job: "verify-snapshot", locks: null }, (slice) => check(s, slice));
}

async function check(s: CoreServices, slice: RunSlice): Promise<void> {
  const { run, ledger, region, hold } = slice;
  const snapshot = run.snapshotId ? await findSnapshot(ledger, run.organisationId, run.snapshotId) : null;
  if (!snapshot) return end(s, slice, null, []);
  const vault = await openVault(s, { organisationId: run.organisationId, region });
  const found = await findManifest(ledger, run.organisationId, snapshot);
  if (!found) return end(s, slice, null, []);
  const problems: string[] = [];
  try {
    await findProblems(s, slice, { vault, snapshot, manifest: found.ref, problems });
  } catch (cause) {
    // Bytes that do not even open are a verdict too: the version must not wait for one for ever.
    if (!(cause instanceof VaultError)) throw cause;
    problems.push(`${cause.message}.`);
  }
  await end(s, slice, snapshot, problems);
  await s.live.publish(run.organisationId, [
    {
      method: "snapshot-verified",
      platform: run.platform,
      id: hold.itemId,
      snapshotId: snapshot.id,
      state: problems.length === 0 ? "verified" : "failed",
      at: s.clock.now(),
    },
  ]);
}

async function findProblems(
  s: CoreServices,
  slice: RunSlice,
  of: { vault: VaultDeps; snapshot: SnapshotRow; manifest: ManifestRef; problems: string[] },
): Promise<void> {
  const { run, region } = slice;
  const { vault, snapshot, problems } = of;
  const scope = { organisationId: run.organisationId, itemId: run.itemId };
  const cursor = (run.cursor as CheckCursor | null) ?? { stage: "bytes", at: null };
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
      } else await handOver(slice, problems, { stage: "bytes", at: event.cursor });
    }
  }
  const connector = connectorOf(s, run.platform);
  if (connector.verify && problems.length === 0) {
    const view = await openVersion(s, vault, { ...scope, region, manifestId: snapshot.manifestId });
    const events = connector.verify(view, cursor.stage === "meaning" ? cursor.at : null);
    for await (const event of events) {
      if (event.type === "problem") problems.push(`${event.path}: ${event.message}`);
      else if (event.type === "progress") await slice.progress(event.progress);
      else if (event.type === "checkpoint")
        await handOver(slice, problems, { stage: "meaning", at: event.cursor });
      else if (event.type === "companion") {
        const source = await view.locate(event.path);
        if (source) await storeCompanion(s, slice, vault, { source: source.where.object, event });
      }
    }
  }
}

/** Stores the cursor and, when the slice is over, leaves the rest to the next one. Damage ends the check at once. */
async function handOver(slice: RunSlice, problems: readonly string[], cursor: CheckCursor): Promise<void> {
  if (problems.length > 0) return;
  if (slice.isOver()) throw new SliceEndError(cursor as Json);
}

async function storeCompanion(
  s: CoreServices,
  { run, ledger }: RunSlice,
  vault: VaultDeps,
  { source, event }: { source: string; event: Extract<VerifyEvent, { type: "companion" }> },
): Promise<void> {
  const scope = { organisationId: run.organisationId, itemId: run.itemId };
  const writer = await openObjectWriter(vault, { scope, kind: "companion", runId: run.id });
  try {
    await event.write(writer);
  } catch (cause) {
    await writer.abort();
    throw cause;
  }
  const stored = await writer.close();
  await recordCompanion(ledger, {
    sourceObjectId: source,
    name: event.name,
    objectId: stored.id,
    itemId: run.itemId,
    now: s.clock.now(),
  });
}

/** One batch writes the verdict on every version of the manifest and ends the run. */
async function end(
  s: CoreServices,
  { run, ledger, hold, bytesRead }: RunSlice,
  snapshot: SnapshotRow | null,
  problems: readonly string[],
): Promise<void> {
  const now = s.clock.now();
  const statements = snapshot
    ? [
        recordVerdict(
          ledger,
          { itemId: snapshot.itemId, manifestId: snapshot.manifestId, runId: run.id, epoch: run.epoch },
          {
            state: problems.length === 0 ? "verified" : "failed",
            at: now,
            text: problems.length === 0 ? null : problems.slice(0, MAX_PROBLEMS).join("\n"),
          },
        ),
      ]
    : [];
  const report = { problems: problems.slice(0, MAX_PROBLEMS) };
  const results = await commitTogether(ledger, [
    ...statements,
    succeedRun(ledger, hold, { now, snapshotId: null, bytesRead: bytesRead(), bytesStored: 0, report }),
  ]);
  if ((results.at(-1)?.results.length ?? 0) === 0) throw new LostRunError(run.id);
}
