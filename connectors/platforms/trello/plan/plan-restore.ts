import type { RestoreOrder, Session } from "#connectors/contract/platform-connector.ts";
import type { RestorePlan } from "#connectors/contract/restore-plan.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { newWhole } from "#connectors/toolkit/records/new-whole.ts";
import { planBoard } from "./plan-board.ts";
import { planPart } from "./plan-part.ts";

/** Plans a `restore`: the same stages in the same order, counted instead of created. */
export async function planRestore(
  account: Pick<Session, "accountName">,
  snapshot: SnapshotView,
  { target, part }: RestoreOrder,
): Promise<RestorePlan> {
  return part === null
    ? await planBoard(account, snapshot, newWhole({ target, part }))
    : await planPart(account, snapshot, { target, path: part });
}
