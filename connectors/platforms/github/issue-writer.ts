import { z } from "zod";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import { createHttpClient } from "#connectors/toolkit/http-client.ts";
import { githubApi, paths } from "./client.ts";
import type { RestoreIo } from "./restore-io.ts";
import { CONTENT_SPACING_MS, IMPORT_SPACING_MS, POLLS_MS } from "./restore-pace.ts";
import { isRefusal } from "./restore-refusal.ts";
import type { IssueDraft } from "./thread-draft.ts";

/** An issue as one way of writing made it. */
export type WrittenIssue = { number: number; url: string };

/** One way to write issues. Milestones are numbers of the new repository by now. */
export type IssueWriter = {
  /** True = dates come back as they were; false = they stand in the text only. */
  keepsDates: boolean;
  /** Waits until nothing written by a slice before is still on its way. */
  settle(): Promise<void>;
  write(draft: IssueDraft): Promise<WrittenIssue>;
  /** Ends what a crash may have left half done of an issue that exists already. */
  complete(number: number, draft: IssueDraft): Promise<void>;
};

/** GitHub's issue import API answers only to this name; it is in no document of GitHub's. */
const IMPORT_MEDIA_TYPE = "application/vnd.github.golden-comet-preview+json";
const JOURNAL_KEY = "issue-writer";

const importSchema = z.object({
  id: z.int(),
  status: z.string(),
  issue_url: z.string().nullish(),
  errors: z.array(z.object({ field: z.string().nullish(), code: z.string().nullish() })).nullish(),
});
const importsSchema = z.array(importSchema);
const issueSchema = z.object({ number: z.int(), html_url: z.string() });
const commentCountSchema = z.object({ comments: z.int() });

/**
 * Opens the better of two ways: the import API carries an issue with its comments and dates in one call and notifies nobody;
 * where GitHub does not offer it, issues are written one request at a time. The way once taken is kept for the whole run.
 */
export async function openIssueWriter(io: RestoreIo): Promise<IssueWriter> {
  const way = await io.journal.find(JOURNAL_KEY);
  if (way === "plain") return plainWriter(io);
  return importWriter(io);
}

/** Turns to the plain way for the rest of the run. */
export async function turnToPlainWriter(io: RestoreIo): Promise<IssueWriter> {
  await io.journal.record(JOURNAL_KEY, "plain");
  return plainWriter(io);
}

/** Whether the import API is not to be had here: not offered, not allowed to this token, or switched off. */
export function isWithoutImport(error: unknown): boolean {
  return isRefusal(error) && [403, 404, 410, 415].includes(error.status ?? 0);
}

function importWriter(io: RestoreIo): IssueWriter {
  const { session, created } = io;
  const api = githubApi(session.config);
  const client = createHttpClient(session, {
    ...api,
    headers: { ...api.headers, accept: IMPORT_MEDIA_TYPE },
  });
  const path = paths.issueImports(created.fullName);
  const about = "the import of an issue";

  async function waitFor(id: number) {
    for (const delay of POLLS_MS) {
      await session.sleep(delay);
      const call = { method: "GET", path: `${path}/${id}`, about, missing: "forbidden" } as const;
      const found = await client.request(call, importSchema);
      if (found.status !== "pending" && found.status !== "importing") return found;
    }
    throw new ConnectorError("unavailable", "GitHub has not finished the import of an issue yet.");
  }

  async function post(draft: IssueDraft) {
    const made = await client.request(
      { method: "POST", path, body: importBody(draft), about, missing: "forbidden" },
      importSchema,
    );
    return made.status === "pending" || made.status === "importing" ? await waitFor(made.id) : made;
  }

  return {
    keepsDates: true,
    async settle() {
      const call = { method: "GET", path, about: "the imports under way", missing: "forbidden" } as const;
      const all = await client.request(call, importsSchema);
      for (const one of all)
        if (one.status === "pending" || one.status === "importing") await waitFor(one.id);
    },
    async write(draft) {
      let done = await post(draft);
      // What GitHub refuses in an issue are names that it does not know; the texts matter more.
      if (done.status === "failed") done = await post({ ...draft, labels: [], milestone: null });
      const number = Number(/\/issues\/([0-9]+)$/.exec(done.issue_url ?? "")?.[1]);
      if (!Number.isInteger(number)) {
        const why = (done.errors ?? []).map(({ field, code }) => `${field ?? "?"} ${code ?? "?"}`).join(", ");
        throw new ConnectorError("unsupported", `GitHub could not import the issue (${why || done.status}).`);
      }
      await session.sleep(IMPORT_SPACING_MS);
      if (draft.isLocked) await lock(io, number, draft);
      return { number, url: `${created.webUrl}/issues/${number}` };
    },
    complete: async (number, draft) => {
      if (draft.isLocked) await lock(io, number, draft);
    },
  };
}

/** The body of the import call; comments without a date take the moment of the import. */
function importBody(draft: IssueDraft): object {
  const { title, body, createdAt, closedAt, isClosed, labels, milestone, comments } = draft;
  return {
    issue: {
      title,
      body,
      closed: isClosed,
      labels,
      ...(milestone !== null && { milestone }),
      ...(createdAt !== null && { created_at: createdAt }),
      ...(closedAt !== null && { closed_at: closedAt }),
    },
    comments: comments.map((comment) => ({
      body: comment.body,
      ...(comment.createdAt !== null && { created_at: comment.createdAt }),
    })),
  };
}

function plainWriter(io: RestoreIo): IssueWriter {
  const { client, created, session } = io;
  const complete = (number: number, draft: IssueDraft) => finishThread(io, number, draft);
  return {
    keepsDates: false,
    settle: async () => undefined,
    async write(draft) {
      const { title, body, labels, milestone } = draft;
      const issue = await client.request(
        {
          method: "POST",
          path: paths.issues(created.fullName),
          body: { title, body, labels, ...(milestone !== null && { milestone }) },
          about: "a new issue",
          missing: "forbidden",
        },
        issueSchema,
      );
      await session.sleep(CONTENT_SPACING_MS);
      await complete(issue.number, draft);
      return { number: issue.number, url: issue.html_url };
    },
    complete,
  };
}

/** Adds the comments that are not there yet, then closes and locks. Comments are only ever added at the end. */
export async function finishThread(io: RestoreIo, number: number, draft: IssueDraft): Promise<void> {
  const { client, created, session } = io;
  const path = paths.issue(created.fullName, number);
  const about = `issue #${number}`;
  if (draft.comments.length > 0) {
    const { comments } = await client.request({ method: "GET", path, about }, commentCountSchema);
    for (const { body } of draft.comments.slice(comments)) {
      const call = { path: paths.issueComments(created.fullName, number), body: { body }, about } as const;
      await client.send({ method: "POST", ...call, missing: "forbidden" });
      await session.sleep(CONTENT_SPACING_MS);
    }
  }
  if (draft.isClosed) {
    const isKnown = draft.reason === "not_planned" || draft.reason === "duplicate";
    const reason = isKnown ? draft.reason : "completed";
    const body = { state: "closed", state_reason: reason };
    await client.send({ method: "PATCH", path, body, about, missing: "forbidden" });
  }
  if (draft.isLocked) await lock(io, number, draft);
}

async function lock(
  { client, created }: RestoreIo,
  number: number,
  { lockReason }: Pick<IssueDraft, "lockReason">,
): Promise<void> {
  const path = paths.issueLock(created.fullName, number);
  const body = lockReason === null ? {} : { lock_reason: lockReason };
  await client.send({ method: "PUT", path, body, about: `issue #${number}`, missing: "forbidden" });
}
