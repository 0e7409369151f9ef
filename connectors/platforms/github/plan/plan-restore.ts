import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { RestoreOrder, Session } from "#connectors/contract/platform-connector.ts";
import type { RestorePlan } from "#connectors/contract/restore-plan.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { findChain, readRefs } from "#connectors/toolkit/git/repository/git-chain.ts";
import { planPush } from "#connectors/toolkit/git/repository/plan-push.ts";
import { newWhole } from "#connectors/toolkit/records/new-whole.ts";
import { openPlanSheet } from "#connectors/toolkit/records/plan-sheet.ts";
import { GIT, wikiPlatform } from "../git-platform.ts";
import { recordPaths } from "../record-paths.ts";
import { reportKept } from "../restore/restore-kept.ts";
import { CREATION, LIMITS, READ, WRITE } from "../restore/restore-pace.ts";
import { readAnswers } from "../restore/restore-questions.ts";
import { gistRecordSchema } from "../restore/restored-records.ts";
import { restoredKinds } from "../restored-kinds.ts";
import { planPart } from "./plan-part.ts";
import { planRepository } from "./plan-repository.ts";

/** Plans a restore: counts what `restore` would create, part by part and in the same order. */
export async function planRestore(
  _account: Pick<Session, "accountName">,
  snapshot: SnapshotView,
  order: RestoreOrder,
): Promise<RestorePlan> {
  const sheet = openPlanSheet(restoredKinds, LIMITS);
  if (order.part !== null) return await planPart(sheet, snapshot, order);
  newWhole(order);
  if ((await snapshot.find(recordPaths.gist)) === null)
    return await planRepository(sheet, snapshot, readAnswers(order));
  const source = gistRecordSchema.parse(await snapshot.readRecord(recordPaths.gist));
  const chain = await findChain(snapshot, GIT);
  if (chain === null) {
    throw new ConnectorError("unsupported", "The list of git packs of this version is missing.");
  }
  sheet.creates("gist", 1);
  if (source.public) {
    const reason = "Restored gists are secret until you make them public.";
    sheet.tell({ type: "changed", what: "Visibility: secret instead of public", reason });
  }
  planPush(sheet, {
    platform: wikiPlatform,
    refs: await readRefs(snapshot, GIT),
    chain,
    proposalBranches: false,
  });
  const comments = snapshot.counts()["gist-comment"] ?? 0;
  sheet.creates("comment", comments);
  sheet.spend(CREATION, comments);
  for (const line of reportKept(snapshot)) sheet.tell(line);
  // Creating the gist, setting its description, and reading its comment count.
  sheet.spend(READ);
  sheet.spend(WRITE, 2);
  return sheet.done();
}
