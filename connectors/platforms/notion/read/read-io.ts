import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { type NameOf, openPeople } from "./people.ts";
import { openTargets, type Targets } from "./targets.ts";

/** A version with what its readers look up in it. */
export type ReadIo = { snapshot: SnapshotView; targets: Targets; nameOf: NameOf };

/** Opens a version for its readers. What is looked up once is remembered as long as they live. */
export function openReadIo(snapshot: SnapshotView): ReadIo {
  return { snapshot, targets: openTargets(snapshot), nameOf: openPeople(snapshot) };
}
