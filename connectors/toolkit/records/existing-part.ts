import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { RestoredItem, RestoreOrder, RestoreTarget } from "#connectors/contract/platform-connector.ts";

type ExistingItem = Extract<RestoreTarget, { kind: "existing" }>["item"];

/** Returns the part to restore and the existing item for it. @throws ConnectorError `unsupported` for any other order */
export function existingPart({ target, part }: Pick<RestoreOrder, "target" | "part">): {
  part: string;
  item: ExistingItem;
} {
  if (part !== null && target.kind === "existing") return { part, item: target.item };
  throw new ConnectorError("unsupported", "A part can be added to an existing item only.");
}

/** The error for an entry that cannot be restored by itself. `parts` names what can, e.g. "issues and pull requests". */
export function noPart(parts: string): ConnectorError {
  return new ConnectorError("unsupported", `Only ${parts} can be restored by themselves.`);
}

/**
 * Reads the item that a part is added to.
 *
 * @param words what the platform calls the item, and the platform's name
 * @throws ConnectorError `unsupported` when it is gone or archived: a retry would not help
 */
export async function openPartTarget<Target extends { archived: boolean | null }>(
  read: () => Promise<Target>,
  itemOf: (target: Target) => RestoredItem,
  { one, platform }: { one: string; platform: string },
): Promise<{ target: Target; created: RestoredItem }> {
  const target = await read().catch((error: unknown) => {
    if (!(error instanceof ConnectorError) || error.kind !== "gone") throw error;
    const message = `The ${one} that was chosen is no longer at ${platform}.`;
    throw new ConnectorError("unsupported", message, { cause: error });
  });
  const created = itemOf(target);
  if (target.archived === true) {
    const message = `${created.fullName} is archived at ${platform}, which takes no changes to it. Unarchive it, or choose another one.`;
    throw new ConnectorError("unsupported", message);
  }
  return { target, created };
}
