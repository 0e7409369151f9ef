import { ApiError } from "#app/api/call-api.ts";
import { callPlatform } from "#app/api/call-platform.ts";
import { notify } from "#app/components/toasts.ts";
import { itemsCopy } from "#app/copy/items.ts";
import { itemPath } from "#app/runs/item-path.ts";
import { placeIn } from "#app/version/address.ts";
import type { FoundItem } from "#core/inventory/views.ts";
import type { Command } from "./commands.ts";

/** The address that a command opens; null = it opens no page. */
export function addressOf(command: Command): string | null {
  switch (command.does) {
    case "go":
      return command.to;
    case "history":
      return itemPath(idOf(command.item));
    case "restore":
      // The history opens its dialog with the newest version (spec P-102).
      return `${itemPath(idOf(command.item))}&run=true`;
    case "version":
      return placeIn({ ...idOf(command.item), snapshotId: command.snapshotId }, null);
    default:
      return null;
  }
}

const idOf = ({ platform, id }: FoundItem) => ({ platform, itemId: id });

/** Backs up an item and says in a toast what came of it. */
export async function backUpNow({ platform, connectionId, kind, id, name }: FoundItem): Promise<void> {
  try {
    await callPlatform({ platform, connectionId, does: "back-up-now", kind }, { itemId: id });
    notify(itemsCopy.retried(name));
  } catch (cause) {
    if (!(cause instanceof ApiError)) throw cause;
    if (!cause.isShown) notify(cause.message, { tone: "bad" });
  }
}
