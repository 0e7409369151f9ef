import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import {
  findChain,
  type GitChain,
  type RefsRecord,
  readRefs,
} from "#connectors/toolkit/git/repository/git-chain.ts";
import { GIT } from "../git-platform.ts";

/** Reads the git data of a snapshot. @throws ConnectorError when it cannot be restored, before anything is created */
export async function readGit(snapshot: SnapshotView): Promise<{ refs: RefsRecord; chain: GitChain }> {
  const refs = await readRefs(snapshot, GIT);
  const chain = await findChain(snapshot, GIT);
  if (chain === null) {
    throw new ConnectorError(
      "unsupported",
      "The list of git packs of this version is missing, so nothing was created.",
    );
  }
  if (refs.objectFormat !== "sha1") {
    throw new ConnectorError("unsupported", "GitHub takes no repositories of the SHA-256 format.");
  }
  return { refs, chain };
}

/** The commit of each tag. */
export function tagsOf({ refs }: RefsRecord): Map<string, string> {
  const tags = refs.filter(({ name }) => name.startsWith("refs/tags/"));
  return new Map(tags.map(({ name, oid, peeled }) => [name.slice("refs/tags/".length), peeled ?? oid]));
}
