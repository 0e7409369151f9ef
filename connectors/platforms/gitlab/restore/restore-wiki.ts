import type { RestoredItem, RestoreEvent, Session } from "#connectors/contract/platform-connector.ts";
import { explainRefusals } from "#connectors/toolkit/git/repository/explain-refusals.ts";
import { findChain, readRefs } from "#connectors/toolkit/git/repository/git-chain.ts";
import { type PushDeps, pushRepository } from "#connectors/toolkit/git/repository/push-repository.ts";
import { gitlabRemote } from "../client.ts";
import { plainGitPlatform, WIKI } from "../git-platform.ts";
import { isRefusal } from "./restore-refusal.ts";

/** Restores the wiki. It is a separate repository; the first push creates it. */
export async function* restoreWiki(
  deps: PushDeps & { session: Session },
  created: RestoredItem,
): AsyncGenerator<RestoreEvent> {
  const chain = await findChain(deps.snapshot, WIKI);
  if (chain === null || chain.packs.length === 0) return;
  const refs = await readRefs(deps.snapshot, WIKI);
  const remote = gitlabRemote(deps.session, `${created.fullName}.wiki`);
  const order = { platform: plainGitPlatform, remote, prefix: WIKI, refs, chain, proposalBranches: false };
  try {
    const { cameBack, refusals } = yield* pushRepository(deps, order);
    if (cameBack.length > 0) yield { type: "restored", kind: "wiki", count: 1 };
    yield* explainRefusals(refusals, plainGitPlatform);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    yield { type: "missing", what: "The wiki", reason: error.message };
  }
}
