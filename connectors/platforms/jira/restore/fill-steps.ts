import { unclaimed } from "#connectors/toolkit/records/make-once.ts";
import { padId } from "#connectors/toolkit/records/pad-id.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { recordPaths } from "../record-paths.ts";
import {
  type Adf,
  type AttachmentFacts,
  type CommentRecord,
  commentRecordSchema,
  type IssueExtras,
  type IssueRecord,
  issueExtrasSchema,
  type WorklogRecord,
  worklogRecordSchema,
} from "../record-types.ts";
import { textOf } from "./adf-nodes.ts";
import { finalText, newKeysOf, textsOf } from "./issue-fields.ts";
import type { FoundText, Visibility } from "./jira-calls.ts";
import { moveIssue, resolveIssue } from "./move-issue.ts";
import { quotedComment, quotedWorklog } from "./provenance.ts";
import { hasMedia, type NewFile } from "./repoint-media.ts";
import type { RestoreIo } from "./restore-io.ts";
import type { MadeIssue } from "./restored-issues.ts";
import { uploadFile } from "./upload-file.ts";

/** A step of filling an issue, one or two calls. `run` returns the kind that the report counts, or null. */
export type FillStep = { what: string; run: () => Promise<string | null> };

/** All steps after an issue was created. Their number and order depend only on the version and the answers. */
export async function fillSteps(io: RestoreIo, record: IssueRecord, note: MadeIssue): Promise<FillStep[]> {
  const extras = await readExtras(io, record);
  return [
    ...fileSteps(io, record, note),
    { what: "Texts", run: () => writeTexts(io, record, note) },
    ...(io.answers.comments ? await commentSteps(io, record, note) : []),
    ...(io.answers.worklogs ? await worklogSteps(io, record, note) : []),
    ...extras.remoteLinks.map((link) => remoteLinkStep(io, link, note)),
    { what: "Status", run: () => moveIssue(io, record, note) },
    ...(record.fields.resolution ? [{ what: "Resolution", run: () => resolveIssue(io, record, note) }] : []),
  ];
}

/** Reads what an issue has besides its record. */
export async function readExtras(
  { snapshot }: Pick<RestoreIo, "snapshot">,
  { id }: IssueRecord,
): Promise<IssueExtras> {
  const path = recordPaths.issueExtras(id);
  return issueExtrasSchema.parse((await snapshot.find(path)) === null ? {} : await snapshot.readRecord(path));
}

function fileSteps(io: RestoreIo, record: IssueRecord, note: MadeIssue): FillStep[] {
  const all = record.fields.attachment;
  return all.map((facts, index) => ({
    what: `File ${facts.filename}`,
    run: async () => {
      const entry = await io.snapshot.find(recordPaths.attachment(record.id, facts.id));
      if (entry === null) {
        const what = `File ${facts.filename} of ${record.key}`;
        note.lines.push({ type: "missing", what, reason: "The version does not hold its bytes." });
        return null;
      }
      const isAlike = (other: { filename: string; size: number }) =>
        other.filename === facts.filename && other.size === entry.sizeBytes;
      const before = all.slice(0, index).filter((other) => note.files[other.id] && isAlike(other)).length;
      const made = await io.maker.make<{ id: string }>({
        look: async () => {
          const [there] = await io.calls.issues([note.key]);
          return unclaimed((there?.attachments ?? []).filter(isAlike), before);
        },
        create: () => uploadFile(io, note.key, { facts, entry }),
      });
      note.files[facts.id] = made.id;
      return "attachment";
    },
  }));
}

/** The restored files of an issue, as documents show them. */
function newFiles({ siteUrl }: RestoreIo, all: readonly AttachmentFacts[], note: MadeIssue): NewFile[] {
  return all.flatMap(({ id, filename }) => {
    const made = note.files[id];
    return made === undefined ? [] : [{ filename, url: `${siteUrl}/rest/api/3/attachment/content/${made}` }];
  });
}

async function writeTexts(io: RestoreIo, record: IssueRecord, note: MadeIssue): Promise<null> {
  const files = newFiles(io, record.fields.attachment, note);
  const { fields, lost } = await textsOf(io, record, { typeId: note.typeId, files });
  if (Object.keys(fields).length === 0) return null;
  await io.calls.editIssue(note.key, fields);
  for (const name of lost) tellLostFile(note, record, name);
  return null;
}

function tellLostFile(note: MadeIssue, { key }: IssueRecord, name: string): void {
  const reason = "Its text shows the name of the file only, because no restored file has this name.";
  note.lines.push({ type: "changed", what: `Picture ${name} of ${key}`, reason });
}

type Written = { io: RestoreIo; record: IssueRecord; note: MadeIssue };

/** A document of a comment or worklog with new keys and files. */
async function written({ io, record, note }: Written, doc: Adf | null): Promise<Adf | null> {
  if (doc === null) return null;
  const files = hasMedia(doc) ? newFiles(io, record.fields.attachment, note) : [];
  const text = finalText(io, doc, { keys: await newKeysOf(io, doc), files });
  for (const name of text.lost) tellLostFile(note, record, name);
  return text.doc;
}

async function commentSteps(io: RestoreIo, record: IssueRecord, note: MadeIssue): Promise<FillStep[]> {
  const comments: CommentRecord[] = [];
  for await (const { path } of io.snapshot.list(`${recordPaths.issueFolder(record.id)}comments/`))
    comments.push(commentRecordSchema.parse(await io.snapshot.readRecord(path)));
  const ofEach = async (comment: CommentRecord) =>
    quotedComment(comment, await written({ io, record, note: { ...note, lines: [] } }, comment.body));
  return comments.map((comment, index) => ({
    what: "A comment",
    run: async () => {
      const own = await written({ io, record, note }, comment.body);
      const body = quotedComment(comment, own);
      if (body === own) {
        const reason = "It is so long that Jira takes no line with its author.";
        note.lines.push({ type: "changed", what: `A comment of ${record.key}`, reason });
      }
      const isInternal = comment.jsdPublic === false && io.target.project.projectTypeKey === "service_desk";
      const made = await io.maker.make<{ id: string; isPublic: boolean }>({
        look: async () => {
          const earlier = await Promise.all(comments.slice(0, index).map(ofEach));
          const texts = earlier.map((one) => ({ body: one }));
          return findText(await io.calls.comments(note.key), { body }, texts);
        },
        create: () => io.calls.addComment(note.key, { body, visibility: visibilityOf(comment), isInternal }),
      });
      if (isInternal && made.isPublic) {
        await io.calls.removeComment(note.key, made.id);
        const reason = "It is internal, and Jira showed it to customers, so it was taken away again.";
        note.lines.push({ type: "missing", what: `A comment of ${record.key}`, reason });
        return null;
      }
      return "comment";
    },
  }));
}

async function worklogSteps(io: RestoreIo, record: IssueRecord, note: MadeIssue): Promise<FillStep[]> {
  const worklogs: WorklogRecord[] = [];
  for await (const { path } of io.snapshot.list(`${recordPaths.issueFolder(record.id)}worklogs/`))
    worklogs.push(worklogRecordSchema.parse(await io.snapshot.readRecord(path)));
  const ofEach = async (worklog: WorklogRecord) => ({
    body: quotedWorklog(
      worklog,
      await written({ io, record, note: { ...note, lines: [] } }, worklog.comment),
    ),
    started: worklog.started,
    seconds: worklog.timeSpentSeconds,
  });
  return worklogs.map((worklog, index) => ({
    what: "A worklog",
    run: async () => {
      const own = await written({ io, record, note }, worklog.comment);
      const comment = quotedWorklog(worklog, own);
      if (comment === own) {
        const reason = "Its text is so long that Jira takes no line with its author.";
        note.lines.push({ type: "changed", what: `A worklog of ${record.key}`, reason });
      }
      const { started, timeSpentSeconds: seconds } = worklog;
      if (started === null || seconds <= 0) {
        const reason = "The version does not hold its start or its length.";
        note.lines.push({ type: "missing", what: `A worklog of ${record.key}`, reason });
        return null;
      }
      await io.maker.make<{ id: string }>({
        look: async () => {
          const earlier = await Promise.all(worklogs.slice(0, index).map(ofEach));
          return findText(await io.calls.worklogs(note.key), { body: comment, started, seconds }, earlier);
        },
        create: () =>
          io.calls.addWorklog(note.key, { comment, started, seconds, visibility: visibilityOf(worklog) }),
      });
      return "worklog";
    },
  }));
}

type Text = { body: Adf; started?: string | null; seconds?: number };

/** A text that reads the same and is not accounted for yet. Jira adds ids to documents, so only their words compare. */
function findText(there: readonly FoundText[], wanted: Text, earlier: readonly Text[]): FoundText | null {
  const keyOf = ({
    body,
    started,
    seconds,
  }: {
    body: Adf | null;
    started?: string | null;
    seconds?: number;
  }) => JSON.stringify([textOf(body), started ? Date.parse(started) : null, seconds ?? 0]);
  const key = keyOf(wanted);
  const before = earlier.filter((one) => keyOf(one) === key).length;
  const alike = there.filter((one) => keyOf(one) === key);
  return (
    unclaimed(
      alike.map((one) => ({ id: padId(one.id), one })),
      before,
    )?.one ?? null
  );
}

/** A restriction stays, or the text is not written at all: it must not become public. */
function visibilityOf({ visibility }: Pick<CommentRecord, "visibility">): Visibility | null {
  if (!visibility) return null;
  const { type, value, identifier } = visibility;
  return { type, ...(value !== null && { value }), ...(identifier !== null && { identifier }) };
}

function remoteLinkStep(io: RestoreIo, link: IssueExtras["remoteLinks"][number], note: MadeIssue): FillStep {
  return {
    what: `Web link ${link.object.title ?? link.object.url ?? ""}`,
    run: async () => {
      const { id, application, relationship, object } = link as Record<string, Json>;
      // With a global id, a repeated call makes no second link.
      const globalId = typeof link.globalId === "string" ? link.globalId : `holdfast:${io.mark}:${id}`;
      await io.calls.addRemoteLink(note.key, {
        ...{ globalId, object: object ?? {} },
        ...(application ? { application } : {}),
        ...(relationship ? { relationship } : {}),
      });
      return "web-link";
    },
  };
}
