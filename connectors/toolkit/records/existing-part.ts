import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { RestoreOrder, RestoreTarget } from "#connectors/contract/platform-connector.ts";

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
