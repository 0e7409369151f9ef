import { z } from "zod";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import { createHttpClient } from "#connectors/toolkit/http-client.ts";
import { utf8 } from "#core/kernel/crypto.ts";
import { githubApi, paths } from "../client.ts";
import type { RestoreIo } from "./restore-io.ts";
import { POLLS_MS, pacedClient } from "./restore-pace.ts";
import { isRefusal } from "./restore-refusal.ts";
import type { IssueDraft } from "./thread-draft.ts";

/** An issue that an `IssueWriter` created. */
export type WrittenIssue = {
  number: number;
  url: string;
  /** Whether it has the original dates. If not, they appear in its text only. */
  keepsDates: boolean;
};

/** One way to write issues. `milestone` of a draft is already the new number. */
export type IssueWriter = {
  way: "plain" | "import";
  /** Whether an issue that this writer has created kept its dates. */
  keepsDates(draft: IssueDraft): boolean;
  write(draft: IssueDraft): Promise<WrittenIssue>;
};

/** Media type of GitHub's issue import API. GitHub does not document it. */
const IMPORT_MEDIA_TYPE = "application/vnd.github.golden-comet-preview+json";
/** Largest request the import accepts. Beyond it, it returns 413, "Payload too big: 1048576 bytes are allowed". */
const LARGEST_IMPORT_BYTES = 1_048_576;
const JOURNAL_KEY = "issue-writer";

const importSchema = z.object({
  id: z.int(),
  status: z.string(),
  issue_url: z.string().nullish(),
  errors: z.array(z.object({ field: z.string().nullish(), code: z.string().nullish() })).nullish(),
});
const importsSchema = z.array(importSchema);
const issueSchema = z.object({ number: z.int(), html_url: z.string() });
/** The fields of an issue in the new repository that a resumed run needs. */
export const foundIssueSchema = z.object({
  title: z.string(),
  state: z.string(),
  comments: z.int(),
  pull_request: z.unknown().optional(),
});
/** The part of an issue that already exists. */
type There = Pick<z.output<typeof foundIssueSchema>, "state" | "comments">;
const NEW: There = { state: "open", comments: 0 };

/**
 * Opens the writer that this account can use. The plain writer sends one request at a time, through GitHub's documented
 * API. The import carries an issue with its comments and dates in one call and notifies nobody. It refuses fine-grained
 * tokens (gavinr/github-csv-tools#109, piceaTech/node-gitlab-2-github#180) and perhaps every App token, so it is used
 * only if it answers a first request. The journal keeps the choice for later slices.
 */
export async function openIssueWriter(io: RestoreIo): Promise<IssueWriter> {
  const way = await io.journal.find(JOURNAL_KEY);
  if (way === "plain") return plainWriter(io);
  const imports = openImports(io);
  try {
    // Wait for imports that an earlier slice started: a pending one would take the next free number.
    await imports.settle();
  } catch (error) {
    if (!isWithoutImport(error)) throw error;
    return await turnToPlainWriter(io);
  }
  if (way !== "import") await io.journal.record(JOURNAL_KEY, "import");
  return importWriter(io, imports);
}

/** Switches to the plain writer for the rest of the run. */
export async function turnToPlainWriter(io: RestoreIo): Promise<IssueWriter> {
  await io.journal.record(JOURNAL_KEY, "plain");
  return plainWriter(io);
}

/** Whether the import API is unavailable: not offered, not allowed for this token, or switched off. */
export function isWithoutImport(error: unknown): boolean {
  return isRefusal(error) && [403, 404, 410, 415].includes(error.status ?? 0);
}

type Imports = { settle(): Promise<void>; post(draft: IssueDraft): Promise<z.output<typeof importSchema>> };

/** The import API of one repository. */
function openImports({ session, created }: RestoreIo): Imports {
  const api = githubApi(session.config);
  const client = pacedClient(
    session,
    createHttpClient(session, { ...api, headers: { ...api.headers, accept: IMPORT_MEDIA_TYPE } }),
  );
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

  return {
    async settle() {
      const call = { method: "GET", path, about: "the imports under way", missing: "forbidden" } as const;
      const all = await client.request(call, importsSchema);
      for (const one of all)
        if (one.status === "pending" || one.status === "importing") await waitFor(one.id);
    },
    async post(draft) {
      const call = { method: "POST", path, body: importBody(draft), about, missing: "forbidden" } as const;
      const made = await client.request(call, importSchema);
      return made.status === "pending" || made.status === "importing" ? await waitFor(made.id) : made;
    },
  };
}

function importWriter(io: RestoreIo, imports: Imports): IssueWriter {
  const plain = plainWriter(io);
  return {
    way: "import",
    keepsDates: fitsImport,
    async write(draft) {
      if (!fitsImport(draft)) return await plain.write(draft);
      let done: z.output<typeof importSchema>;
      try {
        done = await imports.post(draft);
      } catch (error) {
        // The actual limit is lower than the stated one. Plain calls take each text separately.
        if (!isRefusal(error) || error.status !== 413) throw error;
        return await plain.write(draft);
      }
      // GitHub refuses an issue for unknown label or milestone names. The texts matter more, so retry without them.
      if (done.status === "failed") done = await imports.post({ ...draft, labels: [], milestone: null });
      const number = Number(/\/issues\/([0-9]+)$/.exec(done.issue_url ?? "")?.[1]);
      if (!Number.isInteger(number)) {
        const why = (done.errors ?? []).map(({ field, code }) => `${field ?? "?"} ${code ?? "?"}`).join(", ");
        throw new ConnectorError("unsupported", `GitHub could not import the issue (${why || done.status}).`);
      }
      if (draft.isLocked) await lock(io, number, draft);
      return { number, url: `${io.created.webUrl}/issues/${number}`, keepsDates: true };
    },
  };
}

/** Whether the import accepts an issue with all its comments. */
function fitsImport(draft: IssueDraft): boolean {
  return utf8(JSON.stringify(importBody(draft))).length <= LARGEST_IMPORT_BYTES;
}

/** The body of the import call. A comment without a date gets the time of the import. */
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
  const { client, created } = io;
  return {
    way: "plain",
    keepsDates: () => false,
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
      await finishThread(io, issue.number, draft);
      return { number: issue.number, url: issue.html_url, keepsDates: false };
    },
  };
}

/**
 * Adds the missing comments, then closes and locks the issue. Comments are always added at the end.
 * @param there The part that already exists; absent = the issue is new.
 */
export async function finishThread(
  io: RestoreIo,
  number: number,
  draft: IssueDraft,
  there: There = NEW,
): Promise<void> {
  const { client, created } = io;
  const path = paths.issue(created.fullName, number);
  const about = `issue #${number}`;
  for (const { body } of draft.comments.slice(there.comments)) {
    const call = { path: paths.issueComments(created.fullName, number), body: { body }, about } as const;
    await client.send({ method: "POST", ...call, missing: "forbidden" });
  }
  if (draft.isClosed && there.state !== "closed") {
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
