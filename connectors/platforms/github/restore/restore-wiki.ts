import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { RestoredItem, RestoreEvent } from "#connectors/contract/platform-connector.ts";
import { explainRefusals } from "#connectors/toolkit/git/repository/explain-refusals.ts";
import { findChain, hasRepository, readRefs } from "#connectors/toolkit/git/repository/git-chain.ts";
import { type PushDeps, pushRepository } from "#connectors/toolkit/git/repository/push-repository.ts";
import type { GitRemote } from "#connectors/toolkit/git/smart-http.ts";
import { WIKI, wikiPlatform } from "../git-platform.ts";

/**
 * Pushes the wiki. GitHub creates a wiki's git repository with its first page, and only the web site can create pages.
 * A new repository has no wiki, so the report says what to do.
 *
 * @param remote The wiki of the new repository.
 */
export async function* restoreWiki(
  deps: PushDeps,
  { created, remote }: { created: RestoredItem; remote: GitRemote },
): AsyncGenerator<RestoreEvent> {
  const { snapshot } = deps;
  if (!(await hasRepository(snapshot, WIKI))) return;
  const chain = await findChain(snapshot, WIKI);
  if (chain === null) {
    const reason = "The list of git packs of this version's wiki is missing.";
    yield { type: "missing", what: "Wiki", reason };
    return;
  }
  const refs = await readRefs(snapshot, WIKI);
  if (refs.refs.length === 0) return;
  const order = { platform: wikiPlatform, remote, prefix: WIKI, refs, chain, proposalBranches: false };
  try {
    const { cameBack, refusals } = yield* pushRepository(deps, order);
    if (cameBack.length > 0) yield { type: "restored", kind: "wiki", count: 1 };
    yield* explainRefusals(refusals, wikiPlatform);
  } catch (error) {
    const isRefused = error instanceof ConnectorError && ["gone", "forbidden"].includes(error.kind);
    if (!isRefused) throw error;
    const reason = `GitHub takes no pushes to a wiki before its first page exists, and that page can be made on the web site only. Make one at ${created.webUrl}/wiki, download the ZIP of this version and push its wiki folder with 'git push --mirror'. ${error.message}`;
    yield { type: "missing", what: "Wiki", reason };
  }
}
