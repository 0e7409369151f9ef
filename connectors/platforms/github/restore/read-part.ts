import { readPartPath } from "#connectors/contract/part-path.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { noPart } from "#connectors/toolkit/records/existing-part.ts";
import { GIT_VIEW } from "../git-platform.ts";
import { type Thread, threadAt } from "./list-threads.ts";

/** What of a repository can be restored by itself. */
type RepositoryPart =
  | { type: "thread"; thread: Thread }
  | { type: "labels" }
  | { type: "file"; ref: string; path: string };

const PARTS = "issues, pull requests, discussions, files and the labels together";

/** Finds the part in a version. @throws ConnectorError `unsupported` for anything else */
export async function readPart(snapshot: SnapshotView, path: string): Promise<RepositoryPart> {
  const part = readPartPath(path);
  if (part.type === "file" && part.tree === GIT_VIEW) return { type: "file", ref: part.ref, path: part.path };
  if (part.type === "all" && part.kind === "label") return { type: "labels" };
  const thread = part.type === "entry" ? threadAt(path) : null;
  if (thread === null || (await snapshot.find(path)) === null) throw noPart(PARTS);
  return { type: "thread", thread };
}
