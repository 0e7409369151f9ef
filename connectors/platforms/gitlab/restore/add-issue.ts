import { z } from "zod";
import type {
  RestoredItem,
  RestoreEvent,
  RestoreJournal,
  Session,
} from "#connectors/contract/platform-connector.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import type { HttpClient } from "#connectors/toolkit/http-client.ts";
import { type IssueIntent, issueIntentSchema, newMark } from "#connectors/toolkit/records/issue-intent.ts";
import { readNote } from "#connectors/toolkit/records/read-note.ts";
import { openStage, type RestoreStage, reportOnce } from "#connectors/toolkit/records/restore-stage.ts";
import { DAY_MS } from "#core/kernel/clock.ts";
import { LARGEST_PAGE, paths } from "../client.ts";
import { labelSchema, labelsSchema, milestonesSchema } from "../payloads.ts";
import { projectRecordSchema } from "../read/project-record.ts";
import { recordPaths } from "../record-paths.ts";
import { type IssuablePart, partBody, partEnding, partLines, textsOf } from "./issuable-part.ts";
import { createdIssueSchema, NEW_DATES, restoreNotesOf } from "./restore-issues.ts";
import { openRestorePace } from "./restore-pace.ts";
import { isRefusal } from "./restore-refusal.ts";
import { restoreUploads } from "./restore-uploads.ts";

/** What the restore works with. `created` is the project that the issue is added to. */
export type PartIo = {
  session: Session;
  snapshot: SnapshotView;
  journal: RestoreJournal;
  client: HttpClient;
  created: RestoredItem;
};

const issueSchema = z.object({
  ...createdIssueSchema.shape,
  description: z.string().nullish(),
  labels: z.array(z.string()).catch([]),
});
type MadeIssue = z.output<typeof issueSchema>;
const issuesSchema = z.array(issueSchema);

/**
 * Adds one issue or merge request to an existing project, as a new issue under the next number. Its text ends with an
 * invisible mark, by which a resumed run finds the issue that it has created. Attached files that its texts link to are
 * uploaded first.
 *
 * @returns the project, with the page of the new issue
 * @throws ConnectorError when GitLab does not take the issue
 */
export async function* addIssue(io: PartIo, part: IssuablePart): AsyncGenerator<RestoreEvent, RestoredItem> {
  const { session, snapshot, journal, client, created } = io;
  const source = projectRecordSchema.parse(await snapshot.readRecord(recordPaths.project));
  const projectId = created.externalId;
  const before = await readNote(journal, "intent", issueIntentSchema);
  const intent = before ?? (await prepare(io, part));
  const restore = { session, snapshot, journal, client, projectId };
  const rewrite = yield* restoreUploads(restore, source, textsOf(part));
  const noted = await readNote(journal, "issue", issueSchema);
  const found = noted ?? (before === null ? null : await findMarked(io, intent));
  const title = part.source.milestone?.title;
  const milestones = new Map(title && intent.milestone !== null ? [[title, intent.milestone]] : []);
  const issuables = { ...restore, rewrite, milestones, pace: openRestorePace(session) };
  const body = partBody(part, issuables);
  const issue = found ?? (await createIssue(io, intent, body));
  const stage = await openStage<null>(journal, "thread");
  if (!stage.isDone) {
    yield* restoreNotesOf(issuables, stage, {
      group: part.group,
      thing: paths.issue(projectId, issue.iid),
      originUrl: part.source.web_url ?? null,
      mayBeThere: found !== null,
    });
    const ending = partEnding(part);
    if (Object.keys(ending).length > 0) {
      const call = { method: "PUT", path: paths.issue(projectId, issue.iid), body: ending } as const;
      await client.send({ ...call, about: `the issue #${issue.iid}`, missing: "forbidden" });
    }
    stage.count("issue");
    report(stage, { part, intent, issue });
    await stage.finish();
  }
  yield* stage.events();
  return { ...created, name: body.title, webUrl: issue.web_url ?? created.webUrl };
}

/** Looks at the project and journals what is missing there, before anything is written. */
async function prepare(io: PartIo, { source }: IssuablePart): Promise<IssueIntent> {
  const { client, created, session, journal } = io;
  const labels = new Set<string>();
  const query = { per_page: LARGEST_PAGE };
  if (source.labels.length > 0) {
    const path = paths.labels(created.externalId);
    const call = { method: "GET", path, query, about: "the labels", missing: "forbidden" } as const;
    for await (const { name } of client.members(call, labelsSchema, ({ id }) => String(id))) labels.add(name);
  }
  let milestone: number | null = null;
  if (source.milestone) {
    const path = paths.milestones(created.externalId);
    const call = { method: "GET", path, query, about: "the milestones", missing: "forbidden" } as const;
    for await (const { id, title } of client.members(call, milestonesSchema, (one) => String(one.id)))
      if (title === source.milestone.title) milestone = id;
  }
  const intent: IssueIntent = {
    mark: newMark(),
    since: new Date(session.clock.now() - DAY_MS).toISOString(),
    newLabels: source.labels.filter((name) => !labels.has(name)),
    milestone,
  };
  await journal.record("intent", intent);
  return intent;
}

async function findMarked(
  { client, created }: PartIo,
  { mark, since }: IssueIntent,
): Promise<MadeIssue | null> {
  const query = { updated_after: since, per_page: LARGEST_PAGE };
  const path = paths.issues(created.externalId);
  const call = { method: "GET", path, query, about: "the new issue", missing: "forbidden" } as const;
  for await (const issue of client.members(call, issuesSchema, ({ iid }) => String(iid)))
    if (issue.description?.includes(mark)) return issue;
  return null;
}

async function createIssue(
  io: PartIo,
  intent: IssueIntent,
  body: { title: string; description: string },
): Promise<MadeIssue> {
  const { client, created, journal } = io;
  await makeLabels(io, intent.newLabels);
  const marked = { ...body, description: `${body.description}\n\n${intent.mark}` };
  const call = { method: "POST", path: paths.issues(created.externalId), body: marked } as const;
  const made = await client.request({ ...call, about: "an issue", missing: "forbidden" }, issueSchema);
  await journal.record("issue", { ...made, description: null });
  return made;
}

/** Creates missing labels with their colours: GitLab would choose one. A refused label is missing on the issue, too. */
async function makeLabels({ client, snapshot, created }: PartIo, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  for await (const entry of snapshot.list(recordPaths.labels)) {
    const { name, color, description } = labelSchema.parse(await snapshot.readRecord(entry.path));
    if (!names.includes(name)) continue;
    const body = { name, color, ...(description ? { description } : {}) };
    const path = paths.labels(created.externalId);
    const call = { method: "POST", path, body, about: `the label ${name}`, missing: "forbidden" } as const;
    await client.send(call).catch((error: unknown) => {
      // An earlier attempt may have made it.
      if (!isRefusal(error)) throw error;
    });
  }
}

/** Tells what the issue has of the project, and what it lacks. */
function report(
  stage: RestoreStage<null>,
  { part, intent, issue }: { part: IssuablePart; intent: IssueIntent; issue: MadeIssue },
): void {
  const { kind, source } = part;
  const [from, to] = [`${kind === "issue" ? "#" : "!"}${source.iid}`, `#${issue.iid}`];
  if (from !== to) stage.tell({ type: "mapped", kind, from, to, url: issue.web_url ?? null });
  if (Date.parse(issue.created_at) !== Date.parse(source.created_at)) reportOnce(stage, NEW_DATES.issues);
  const lost = source.labels.filter((name) => !issue.labels.includes(name));
  const made = intent.newLabels.filter((name) => issue.labels.includes(name));
  if (made.length > 0) {
    const reason =
      "The project had none of the name, so the restore made it, with the colour of the version.";
    stage.tell({ type: "changed", what: `New labels: ${made.join(", ")}`, reason });
  }
  if (lost.length > 0) {
    const reason = "GitLab lets only members of the project set it.";
    stage.tell({ type: "missing", what: `Labels: ${lost.join(", ")}`, reason });
  }
  if (source.milestone && intent.milestone === null) {
    const reason = "The project has no milestone of the same title.";
    stage.tell({ type: "changed", what: "Milestone", reason });
  }
  for (const line of partLines(part)) stage.tell(line);
}
