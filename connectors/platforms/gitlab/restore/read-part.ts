import { readPartPath } from "#connectors/contract/part-path.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { noPart } from "#connectors/toolkit/records/existing-part.ts";
import { GIT_VIEW } from "../git-platform.ts";
import { type IssuablePart, readIssuablePart } from "./issuable-part.ts";

/** What of a project can be restored by itself. */
type ProjectPart =
  | { type: "issuable"; issuable: IssuablePart }
  | { type: "labels" }
  | { type: "file"; ref: string; path: string };

const PARTS = "issues, merge requests, files and the labels together";

/** Finds the part in a version. @throws ConnectorError `unsupported` for anything else */
export async function readPart(snapshot: SnapshotView, path: string): Promise<ProjectPart> {
  const part = readPartPath(path);
  if (part.type === "file" && part.tree === GIT_VIEW) return { type: "file", ref: part.ref, path: part.path };
  if (part.type === "all" && part.kind === "label") return { type: "labels" };
  const issuable = part.type === "entry" ? await readIssuablePart(snapshot, path) : null;
  if (issuable === null) throw noPart(PARTS);
  return { type: "issuable", issuable };
}
