import type { PartRestore, RestoreTarget } from "#connectors/contract/platform-connector.ts";
import type { RestoredPart } from "./restore-order.ts";

/** Converts the order of a part to the connectors' form. `target` describes the new item, if one is created. */
export function partRestore({ path, into }: RestoredPart, target: RestoreTarget): PartRestore {
  return { path, into: into === null ? { kind: "new", target } : { kind: "existing", item: into } };
}
