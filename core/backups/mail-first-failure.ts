import { connectorOf } from "#core/connections/index.ts";
import { findItemRow } from "#core/inventory/index.ts";
import { HOUR_MS } from "#core/kernel/clock.ts";
import { queueMail } from "#core/mail/index.ts";
import { listMembers } from "#core/organisations/index.ts";
import type { RunSlice } from "#core/runs/index.ts";
import type { MailServices, Uses } from "#core/services.ts";
import { countFailuresSince } from "./backups.store.ts";
import { FIRST_FAILURES_AN_HOUR } from "./limits.ts";

/**
 * E-mails the owner, once per item, that its first backup failed for good: until another one succeeds, nothing of the
 * item is stored. An outage that fails many items sends only the first e-mails of an hour; the list names all items.
 */
export async function mailFirstFailure(
  s: MailServices & Uses<"connectors">,
  { run, ledger }: Pick<RunSlice, "run" | "ledger">,
  errorText: string,
): Promise<void> {
  const { organisationId, platform } = run;
  const item = await findItemRow(ledger, organisationId, run.itemId);
  if (!item || item.lastSnapshotId !== null) return;
  const now = s.clock.now();
  if ((await countFailuresSince(ledger, organisationId, now - HOUR_MS)) >= FIRST_FAILURES_AN_HOUR) return;
  const owner = (await listMembers(s, organisationId)).find(({ role }) => role === "owner");
  if (!owner) return;
  const mail = await queueMail(s, {
    occasion: `first-backup-failed:${item.id}`,
    organisationId,
    recipient: owner.email,
    message: "backup-failed",
    data: {
      platformLabel: connectorOf(s, platform).descriptor.label,
      itemName: item.name,
      failedAt: now,
      errorText,
      isDaily: item.isDaily,
      historyUrl: `${s.settings.PUBLIC_URL}/platform/backups/${platform}?id=${encodeURIComponent(item.id)}`,
      timeZone: owner.timeZone,
    },
  });
  await mail.statement;
  await s.queue.send([mail.job]);
}
