import { ConnectorError } from "#connectors/contract/connector-error.ts";
import { queueMail } from "#core/mail/index.ts";
import { listMembers } from "#core/organisations/index.ts";
import type { MailServices, Uses } from "#core/services.ts";
import { storageConnectorOf } from "./open-storage.ts";
import { type StorageRow, saveTrouble } from "./storage.store.ts";

type Trouble = NonNullable<StorageRow["trouble"]>;

/**
 * Records why the storage does not accept or delete files, and notifies the owner at most once a day per reason.
 * Transient faults are not recorded.
 */
export async function noteTrouble(
  s: MailServices & Uses<"storages">,
  row: StorageRow,
  cause: unknown,
): Promise<void> {
  if (!(cause instanceof ConnectorError)) return;
  switch (cause.kind) {
    case "unauthorized":
    case "forbidden":
    case "gone":
    case "full":
    case "unsupported":
      // Notify first: after a crash in between, it is repeated, and the outbox prevents a duplicate. The other order
      // could lose the notification.
      if (row.trouble !== cause.kind) await mailOwner(s, row, { kind: cause.kind, text: cause.message });
      await saveTrouble(s.control, row, { kind: cause.kind, text: cause.message, now: s.clock.now() });
      return;
    case "rate-limited":
    case "unavailable":
    case "malformed":
      return;
    default:
      return cause.kind satisfies never;
  }
}

async function mailOwner(
  s: MailServices & Uses<"storages">,
  row: StorageRow,
  trouble: { kind: Trouble; text: string },
): Promise<void> {
  const owner = (await listMembers(s, row.organisationId)).find((member) => member.role === "owner");
  if (!owner) return;
  const day = new Date(s.clock.now()).toISOString().slice(0, 10);
  const mail = await queueMail(s, {
    occasion: `storage-trouble:${row.id}:${trouble.kind}:${day}`,
    organisationId: row.organisationId,
    recipient: owner.email,
    message: "storage-trouble",
    data: {
      storageLabel: storageConnectorOf(s, row.kind).descriptor.label,
      storageName: row.name,
      text: trouble.text,
      mustReconnect: trouble.kind === "unauthorized",
      settingsUrl: `${s.settings.PUBLIC_URL}/settings/storage`,
    },
  });
  await mail.statement;
  await s.queue.send([mail.job]);
}
