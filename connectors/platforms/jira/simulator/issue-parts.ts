import { keepBytes, mediaName } from "./files.ts";
import { nextId } from "./ids.ts";
import { note, partChange, touch } from "./issues.ts";
import type {
  Adf,
  Attachment,
  Comment,
  Issue,
  JiraWorld,
  RemoteLink,
  Site,
  Visibility,
  Worklog,
} from "./state.ts";
import { indexOf } from "./store.ts";
import { showDuration } from "./times.ts";

/** Adds a comment. Comments leave no trace in the history, but the issue counts as updated. */
export function addComment(
  world: JiraWorld,
  site: Site,
  byAccount: string,
  order: {
    issue: Issue;
    body: Adf;
    visibility?: Visibility | null;
    isPublic?: boolean;
    properties?: Record<string, unknown>;
    at?: number;
  },
): Comment {
  const { issue, body, visibility = null, isPublic = true, properties = {}, at = Date.now() } = order;
  const comment: Comment = {
    id: nextId(site, "comment"),
    authorId: byAccount,
    updateAuthorId: byAccount,
    body,
    createdAt: at,
    updatedAt: at,
    visibility,
    isPublic,
    properties,
  };
  issue.comments.push(comment);
  touch(world, issue, at);
  return comment;
}

/** Logs work, and sets the remaining estimate unless it is left. */
export function addWorklog(
  world: JiraWorld,
  site: Site,
  byAccount: string,
  order: {
    issue: Issue;
    seconds: number;
    startedAt: number;
    comment?: Adf | null;
    visibility?: Visibility | null;
    remaining?: number | null;
    at?: number;
  },
): Worklog {
  const { issue, seconds, startedAt, comment = null, visibility = null, at = Date.now() } = order;
  const worklog: Worklog = {
    id: nextId(site, "worklog"),
    authorId: byAccount,
    updateAuthorId: byAccount,
    comment,
    createdAt: at,
    updatedAt: at,
    startedAt,
    seconds,
    visibility,
  };
  issue.worklogs.push(worklog);
  setTimeSpent(world, site, byAccount, { issue, by: seconds, at });
  if (order.remaining !== undefined) setRemaining(issue, order.remaining);
  return worklog;
}

/** Changes the time spent on an issue, with a trace in the history. */
export function setTimeSpent(
  world: JiraWorld,
  site: Site,
  byAccount: string,
  { issue, by, at = Date.now() }: { issue: Issue; by: number; at?: number },
): void {
  const before = issue.timeSpentSeconds;
  issue.timeSpentSeconds = Math.max(0, before + by);
  const item = { field: "timespent", fieldId: "timespent", isCustom: false };
  const text = (seconds: number) => (seconds === 0 ? null : String(seconds));
  const [from, to] = [text(before), text(issue.timeSpentSeconds)];
  const items = [
    {
      ...item,
      from,
      fromText: from && showDuration(before),
      to,
      toText: to && showDuration(issue.timeSpentSeconds),
    },
  ];
  note(world, site, byAccount, { issue, items, at });
}

/** Sets the remaining estimate in seconds. */
export function setRemaining(issue: Issue, remaining: number | null): void {
  const known = issue.values.timetracking as
    | { original: number | null; remaining: number | null }
    | null
    | undefined;
  issue.values.timetracking = {
    original: known?.original ?? null,
    remaining: remaining === null ? null : Math.max(0, remaining),
  };
}

/** Deletes a worklog; the time spent shrinks. */
export function deleteWorklog(
  world: JiraWorld,
  site: Site,
  byAccount: string,
  issue: Issue,
  worklog: Worklog,
): void {
  issue.worklogs.splice(issue.worklogs.indexOf(worklog), 1);
  site.deletedWorklogs.push({ id: worklog.id, at: Date.now() });
  setTimeSpent(world, site, byAccount, { issue, by: -worklog.seconds });
}

/** Attaches a file. */
export function attachFile(
  world: JiraWorld,
  site: Site,
  byAccount: string,
  order: { issue: Issue; fileName: string; mimeType: string; bytes: Uint8Array; at?: number },
): Attachment {
  const { issue, fileName, mimeType, bytes, at = Date.now() } = order;
  const attachment: Attachment = {
    id: nextId(site, "attachment"),
    fileName: mediaName(fileName),
    mimeType,
    bytes: bytes.length,
    sha256: keepBytes(world, bytes),
    authorId: byAccount,
    createdAt: at,
  };
  issue.attachments.push(attachment);
  indexOf(world, site).issuesByAttachment.set(attachment.id, issue);
  const items = [partChange("Attachment", null, attachment.id, attachment.fileName)];
  note(world, site, byAccount, { issue, items, at });
  return attachment;
}

/** Deletes an attachment. */
export function deleteAttachment(
  world: JiraWorld,
  site: Site,
  byAccount: string,
  issue: Issue,
  attachment: Attachment,
): void {
  issue.attachments.splice(issue.attachments.indexOf(attachment), 1);
  indexOf(world, site).issuesByAttachment.delete(attachment.id);
  const items = [partChange("Attachment", attachment.id, null, attachment.fileName)];
  note(world, site, byAccount, { issue, items });
}

/** Adds a link to a web page, or replaces the one with the same global id. Nothing proves that it counts as an update. */
export function setRemoteLink(
  world: JiraWorld,
  site: Site,
  order: { issue: Issue } & Omit<RemoteLink, "id">,
): { link: RemoteLink; isNew: boolean } {
  const { issue, ...fields } = order;
  const known = issue.remoteLinks.find(({ globalId }) => globalId !== null && globalId === fields.globalId);
  const link = { id: known?.id ?? nextId(site, "remotelink"), ...fields };
  if (known) Object.assign(known, link);
  else issue.remoteLinks.push(link);
  world.save();
  return { link, isNew: known === undefined };
}
