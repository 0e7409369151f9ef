import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { NewTarget, RestoreOrder } from "#connectors/contract/platform-connector.ts";

/** Returns the target of a whole version in a new item. @throws ConnectorError `unsupported` for any other order */
export function newWhole({ target, part }: Pick<RestoreOrder, "target" | "part">): NewTarget {
  if (part !== null) throw new ConnectorError("unsupported", "No part of it can be restored by itself.");
  if (target.kind === "new") return target;
  throw new ConnectorError("unsupported", "It can be restored into a new item only.");
}
