import { z } from "zod";
import type { Session } from "#connectors/contract/platform-connector.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import type { ReportLine } from "#connectors/toolkit/records/restore-stage.ts";
import {
  type GitlabIssue,
  type GitlabMergeRequest,
  type GitlabNote,
  issueSchema,
  mergeRequestSchema,
} from "../payloads.ts";
import { type IssuableKind, recordPaths } from "../record-paths.ts";
import type { RewriteLinks } from "./restore-io.ts";
import { finishBody, type Group, issueBody } from "./restore-issues.ts";
import { asIssueBody, finishRequestBody } from "./restore-merge-requests.ts";
import { readNotes } from "./restore-notes.ts";

/** One issue or merge request of a version, which comes back as an issue. */
export type IssuablePart = { group: Group; notes: GitlabNote[]; hasLinks: boolean } & (
  | { kind: "issue"; source: GitlabIssue }
  | { kind: "merge-request"; source: GitlabMergeRequest }
);

const PATH = /^(issues|merge-requests)\/([0-9]+)\/(issue|merge-request)\.json$/;

/** Reads the issue or merge request at a path; null = it is another entry, or the version has none there. */
export async function readIssuablePart(snapshot: SnapshotView, path: string): Promise<IssuablePart | null> {
  const [, folder, iid, kind] = PATH.exec(path) ?? [];
  if (folder !== `${kind}s` || (await snapshot.find(path)) === null) return null;
  const group: Group = { path, notes: [], events: 0 };
  let hasLinks = false;
  for await (const entry of snapshot.list(recordPaths.issuableFolder(kind as IssuableKind, Number(iid)))) {
    if (entry.kind === "note") group.notes.push(entry.path);
    if (entry.kind === "event") group.events += 1;
    if (entry.kind === "issue-links") hasLinks = true;
  }
  const record = await snapshot.readRecord(path);
  const shared = { group, notes: await readNotes(snapshot, group.notes), hasLinks };
  return kind === "issue"
    ? { ...shared, kind, source: issueSchema.parse(record) }
    : { ...shared, kind: "merge-request", source: mergeRequestSchema.parse(record) };
}

/** The texts of the part, which may link to attached files. */
export function textsOf({ source, notes }: IssuablePart): string[] {
  return [source.description ?? "", ...notes.map(({ body }) => body)];
}

/** The body of the call that creates the issue. */
export function partBody(
  part: IssuablePart,
  context: {
    session: Session;
    milestones: ReadonlyMap<string, number>;
    rewrite: RewriteLinks;
  },
): { title: string; description: string } {
  const body = part.kind === "issue" ? issueBody(context, part.source) : asIssueBody(context, part.source);
  return bodySchema.parse(body);
}

const bodySchema = z.looseObject({ title: z.string(), description: z.string() });

/** The body of the call that closes or locks it at the end; empty = nothing to set. */
export function partEnding(part: IssuablePart): object {
  return part.kind === "issue" ? finishBody(part.source) : finishRequestBody(part.source);
}

type KnownLine = Extract<ReportLine, { type: "changed" | "impossible" }>;

/** People hear of an issue in a project in use, unlike of one in a project that a restore has just made. */
const WATCHERS: KnownLine = {
  type: "changed",
  what: "Notifications",
  reason:
    "GitLab may tell people who watch the project of the new issue and of each comment. Nobody is mentioned in them.",
};
const AS_ISSUE: KnownLine = {
  type: "changed",
  what: "Merge request as an issue",
  reason: "Its text names its branches and its commit, which a part does not bring back.",
};
const LINKS: KnownLine = {
  type: "impossible",
  what: "Links to other issues",
  reason:
    "A link writes into the other issue too, and a restore changes nothing that exists. The version names them.",
};

/** What becomes of the part, as far as the version tells: plan and report say it alike. */
export function partLines({ kind, hasLinks }: IssuablePart): KnownLine[] {
  return [WATCHERS, ...(kind === "issue" ? [] : [AS_ISSUE]), ...(hasLinks ? [LINKS] : [])];
}
