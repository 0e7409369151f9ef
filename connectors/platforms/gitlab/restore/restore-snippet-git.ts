import type { RestoreEvent, Session } from "#connectors/contract/platform-connector.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { zeroOid } from "#connectors/toolkit/git/object-format.ts";
import { pushPack, type RefCommand, receiverAdvertisement } from "#connectors/toolkit/git/receive-pack.ts";
import type { ChainPack } from "#connectors/toolkit/git/repository/git-chain.ts";
import type { GitRemote } from "#connectors/toolkit/git/smart-http.ts";
import { invariant } from "#core/kernel/invariant.ts";
import { gitlabRemote } from "../client.ts";
import { readGit } from "../read/read-git.ts";

/**
 * Pushes the history of a snippet over the commit it was created with. A snippet accepts one branch and no other ref,
 * so each git pack moves that branch to its first tip; the last step moves it to the original commit.
 */
export async function* pushSnippet(
  { session, snapshot }: { session: Session; snapshot: SnapshotView },
  fullName: string,
): AsyncGenerator<RestoreEvent> {
  const { refs, chain } = await readGit(snapshot);
  const wanted = refs.refs.find(({ name }) => name === refs.head.target) ?? refs.refs[0];
  if (wanted === undefined || chain.packs.length === 0) return;
  const remote = gitlabRemote(session, fullName);
  const { refs: there } = await receiverAdvertisement(remote);
  const branch = [...there.keys()].find((name) => name.startsWith("refs/heads/")) ?? wanted.name;
  let current = there.get(branch) ?? zeroOid("sha1");
  // Continues where an earlier attempt stopped: the branch is at the first tip of the last pushed pack.
  const arrived = current === wanted.oid ? chain.packs.length : lastIndex(chain.packs, current) + 1;
  for (const [index, pack] of chain.packs.entries()) {
    if (index < arrived) continue;
    const progress = {
      phase: "Sending git packs",
      done: index,
      total: chain.packs.length,
      unit: "items",
    } as const;
    yield { type: "progress", progress };
    const next = pack.tips[0];
    invariant(next !== undefined, "a git pack is fetched for at least one tip");
    const refusal = await move({ remote, snapshot }, { old: current, new: next, ref: branch }, pack);
    if (refusal !== null) return yield notTaken(refusal);
    current = next;
  }
  if (current !== wanted.oid) {
    const refusal = await move({ remote, snapshot }, { old: current, new: wanted.oid, ref: branch }, null);
    if (refusal !== null) return yield notTaken(refusal);
  }
  yield { type: "restored", kind: "branch", count: 1 };
  if (branch !== wanted.name) {
    const short = (name: string) => name.replace("refs/heads/", "");
    const reason = "GitLab names the branch of a new snippet.";
    yield { type: "changed", what: `Branch: ${short(branch)} instead of ${short(wanted.name)}`, reason };
  }
}

function lastIndex(packs: readonly ChainPack[], oid: string): number {
  return packs.findLastIndex(({ tips }) => tips[0] === oid);
}

/** @returns why the server refused the ref update, or null */
async function move(
  { remote, snapshot }: { remote: GitRemote; snapshot: SnapshotView },
  command: RefCommand,
  pack: ChainPack | null,
): Promise<string | null> {
  if (pack === null && command.old === command.new) return null;
  const report = await pushPack(remote, {
    commands: [command],
    pack: pack === null ? null : snapshot.read(pack.path),
    packLength: pack?.bytes ?? 0,
    objectFormat: "sha1",
    advertisement: await receiverAdvertisement(remote),
  });
  const [result] = report.refs;
  return result?.isUpdated === false ? result.reason : null;
}

function notTaken(reason: string): RestoreEvent {
  return { type: "missing", what: "The files and their history", reason: `GitLab said: ${reason}` };
}
