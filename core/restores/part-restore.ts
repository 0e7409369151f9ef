import type { PartRestore, RestoreTarget } from "#connectors/contract/platform-connector.ts";
import type { RestoredPart } from "./restore-order.ts";

/** The order of a part as connectors take it. `target` is the new item, where there is to be one. */
export function partRestore({ path, into }: RestoredPart, target: RestoreTarget): PartRestore {
  return { path, into: into === null ? { kind: "new", target } : { kind: "existing", item: into } };
}
