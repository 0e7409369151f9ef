import { GitPackError } from "#connectors/toolkit/git/git-pack-error.ts";
import { viewsOf } from "#core/browsing/index.ts";
import { compareTree } from "#core/comparisons/index.ts";
import { connectorOf } from "#core/connections/index.ts";
import { findItemRow } from "#core/inventory/index.ts";
import type { Region } from "#core/kernel/platform-id.ts";
import type { MailServices, Uses } from "#core/services.ts";
import type { SnapshotReader, VaultDeps } from "#core/vault/index.ts";
import { findSoundSnapshotBefore, openVersion, type SnapshotRow } from "#core/versions/index.ts";
import { limitsOf } from "./alarm-limits.ts";
import { alarmOwner } from "./alarm-owner.ts";
import { insertAlarms } from "./alarms.store.ts";
import { type JudgedTree, judgeChange } from "./judge-change.ts";

/**
 * Compares a version with the previous one, cheaply: the sums in both manifests, and the tips of branches. Signs of
 * unwanted loss raise an alarm, which keeps the previous version from expiring. Repeating it changes nothing.
 */
export async function watchVersion(
  s: MailServices & Uses<"ledger" | "connectors" | "live">,
  { snapshot, region, vault }: { snapshot: SnapshotRow; region: Region; vault: VaultDeps },
): Promise<void> {
  const ledger = s.ledger(region, snapshot.organisationId);
  const previous = await findSoundSnapshotBefore(ledger, snapshot);
  if (previous === null || previous.manifestId === snapshot.manifestId) return;
  const item = await findItemRow(ledger, snapshot.organisationId, snapshot.itemId);
  if (!item) return;
  const before = await openVersion(s, vault, { ...previous, region });
  const after = await openVersion(s, vault, { ...snapshot, region });
  const connector = connectorOf(s, item.platform);
  const trees = await treesBetween(connector, before, after);
  const sumsOf = (view: SnapshotReader, { sizeBytes }: SnapshotRow) => ({
    counts: view.completeness().counts,
    sizeBytes,
  });
  const findings = judgeChange(sumsOf(before, previous), sumsOf(after, snapshot), {
    words: connector.entryKinds,
    trees,
    limits: limitsOf(item),
  });
  const raised = await insertAlarms(
    ledger,
    findings.map(({ kind, message }) => ({
      id: s.ids.next("alarm"),
      organisationId: item.organisationId,
      itemId: item.id,
      kind,
      snapshotId: snapshot.id,
      keptSnapshotId: previous.id,
      message,
      createdAt: s.clock.now(),
    })),
  );
  await alarmOwner(s, {
    organisationId: item.organisationId,
    platform: item.platform,
    occasion: `change:${snapshot.id}`,
    items:
      raised.length === 0
        ? []
        : [{ itemId: item.id, name: item.name, sentences: raised.map(({ message }) => message) }],
  });
}

/**
 * Compares the trees that both versions have. Skips trees with an unreadable git pack, because the check reports those.
 */
async function treesBetween(
  connector: ReturnType<typeof connectorOf>,
  before: SnapshotReader,
  after: SnapshotReader,
): Promise<JudgedTree[]> {
  const compared: JudgedTree[] = [];
  const old = await viewsOf({ connector, view: before });
  for (const young of await viewsOf({ connector, view: after })) {
    const known = old.find(({ id }) => id === young.id);
    if (young.kind !== "files" || known?.kind !== "files") continue;
    const [left, right] = [await known.open(), await young.open()];
    const names = new Set(right.refs.map(({ name }) => name));
    const counted = left.refs.filter(({ kind }) => kind === "branch" || kind === "tag");
    const refsGone = counted.filter(({ name }) => !names.has(name)).length;
    try {
      compared.push({ ...(await compareTree(left, right)), refsBefore: counted.length, refsGone });
    } catch (cause) {
      if (!(cause instanceof GitPackError)) throw cause;
    }
  }
  return compared;
}
