import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import { readSome, sampleFolder } from "#connectors/toolkit/records/sample-folder.ts";
import { recordPaths } from "../record-paths.ts";
import { type Adf, adfSchema, type IssueRecord } from "../record-types.ts";
import { readExtras } from "../restore/fill-steps.ts";
import { requestTypeOf } from "../restore/issue-fields.ts";
import { hasMedia } from "../restore/repoint-media.ts";
import { endOf, linksOf } from "../restore/restore-links.ts";
import { readIssue } from "../restore/restored-issues.ts";
import { keysIn } from "../restore/rewrite-keys.ts";
import type { VersionFrame } from "../restore/version-frame.ts";

/** Versions with up to this many issues are read whole. */
const MOST_WHOLE = 200;
/** Issues that are read of a larger version. */
const MOST_SAMPLED = 60;

/** What the issues of a restore bring, estimated if they were sampled. */
export type IssueCounts = {
  issues: number;
  links: number;
  webLinks: number;
  watchers: number;
  /** Issues whose texts are written again when files and keys are known. */
  rewritten: number;
  /** Issues in a status of another category than `new`, which take a transition. */
  moved: number;
  resolved: number;
  restricted: number;
  /** Names of the types of requests, each once. */
  requestTypes: string[];
  /** Names and keys of files whose bytes the version lacks. */
  lostFiles: { filename: string; key: string }[];
  isWhole: boolean;
};

type Ends = {
  projectKey: string;
  targetKey: string;
  siteUrl: string;
  fields: VersionFrame["fields"];
};

/** Counts what hangs at the issues of a version: of all, or from a sample. */
export async function countIssues(snapshot: SnapshotView, count: number, ends: Ends): Promise<IssueCounts> {
  const most = count <= MOST_WHOLE ? MOST_WHOLE : MOST_SAMPLED;
  const { things, isWhole } = await sampleFolder(snapshot, { prefix: recordPaths.issues, count, most });
  const paths = things.map(({ folder }) => `${folder}issue.json`);
  const each = await readSome(paths, async (path) => {
    if ((await snapshot.find(path)) === null) return null;
    return await countOne(snapshot, await readIssue(snapshot, path), ends, () => true);
  });
  const found = each.filter((one) => one !== null);
  const scale = isWhole || found.length === 0 ? 1 : count / found.length;
  return { ...sumOf(found, scale), issues: count, isWhole };
}

/** Counts the same of a part. */
export async function countPart(
  snapshot: SnapshotView,
  issues: readonly IssueRecord[],
  ends: Ends,
): Promise<IssueCounts> {
  const keys = new Set(issues.map(({ key }) => key));
  const each = await readSome(issues, (issue) => countOne(snapshot, issue, ends, (key) => keys.has(key)));
  return { ...sumOf(each, 1), issues: issues.length, isWhole: true };
}

type OneIssue = Omit<IssueCounts, "issues" | "isWhole">;

async function countOne(
  snapshot: SnapshotView,
  issue: IssueRecord,
  { projectKey, targetKey, siteUrl, fields }: Ends,
  isRestored: (key: string) => boolean,
): Promise<OneIssue> {
  const { remoteLinks, watchers } = await readExtras({ snapshot }, issue);
  const source = { projectKey, siteUrl };
  const isOwn = (key: string) => key.slice(0, key.lastIndexOf("-")) === projectKey && isRestored(key);
  const links = linksOf(issue).filter(({ otherKey, isOutward }) => {
    const end = endOf(otherKey, { projectKey, targetKey, newKey: isOwn(otherKey) ? otherKey : null });
    return end.type === "outside" || (end.type === "restored" && isOutward);
  });
  const texts = Object.values(issue.fields).flatMap((value): Adf[] => {
    const parsed = adfSchema.safeParse(value);
    return parsed.success ? [parsed.data] : [];
  });
  const lostFiles: OneIssue["lostFiles"] = [];
  for (const { id, filename } of issue.fields.attachment)
    if ((await snapshot.find(recordPaths.attachment(issue.id, id))) === null)
      lostFiles.push({ filename, key: issue.key });
  return {
    links: links.length,
    webLinks: remoteLinks.length,
    watchers: watchers.length,
    rewritten: Number(texts.some((doc) => hasMedia(doc) || [...keysIn(doc, source)].some(isRestored))),
    moved: Number((issue.fields.status.statusCategory?.key ?? "new") !== "new"),
    resolved: Number(issue.fields.resolution !== null),
    restricted: Number(issue.fields.security !== null),
    requestTypes: [requestTypeOf({ fields }, issue) ?? []].flat(),
    lostFiles,
  };
}

function sumOf(each: readonly OneIssue[], scale: number): OneIssue {
  const sum = (pick: (one: OneIssue) => number) =>
    Math.round(each.reduce((total, one) => total + pick(one), 0) * scale);
  return {
    links: sum(({ links }) => links),
    webLinks: sum(({ webLinks }) => webLinks),
    watchers: sum(({ watchers }) => watchers),
    rewritten: sum(({ rewritten }) => rewritten),
    moved: sum(({ moved }) => moved),
    resolved: sum(({ resolved }) => resolved),
    restricted: sum(({ restricted }) => restricted),
    requestTypes: [...new Set(each.flatMap(({ requestTypes }) => requestTypes))],
    lostFiles: each.flatMap(({ lostFiles }) => lostFiles),
  };
}
