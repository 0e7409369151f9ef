import type { BackupEvent, Session } from "#connectors/contract/platform-connector.ts";
import { openDownload } from "#connectors/toolkit/download.ts";
import { mayGoWithout, type StagesRun } from "#connectors/toolkit/records/run-stages.ts";
import { APP_QUOTA, paths, readApiToken, siteApi } from "../client.ts";
import { type Attachment, connectionSchema, type Issue } from "../payloads.ts";
import { recordPaths } from "../record-paths.ts";
import type { LackingFile, LackingFiles } from "./lacking-files.ts";

const NEEDS_SIGN_IN =
  "The app inside Jira does not give us files. Sign in to Jira on the main site, and the next backup has them.";

/**
 * The bytes of an attached file. They never change at Jira, so a file of the previous version is kept without a request.
 * A file that Jira does not return is listed as skipped, and requested again by the next backup of its issue.
 *
 * @returns why the version lacks the file; null = it has it
 */
export async function* backUpFile(
  run: StagesRun,
  issue: Issue,
  attachment: Attachment,
): AsyncGenerator<BackupEvent, LackingFile | null> {
  const path = recordPaths.attachment(issue.id, attachment.id);
  const kind = "attachment";
  if (await run.order.previous?.find(path)) {
    yield { type: "keep", path };
    return null;
  }
  const session = sessionForFiles(run.session);
  if (session === null) {
    return { id: attachment.id, reason: NEEDS_SIGN_IN, needsSignIn: true };
  }
  const { filename, size } = attachment;
  try {
    const { write } = await openDownload(...(await downloadOf(session, attachment)));
    yield {
      ...{
        type: "stream",
        path,
        kind,
        title: filename || attachment.id,
        parent: recordPaths.issue(issue.id),
      },
      write: (sink, report) =>
        write(sink, (done) =>
          report?.({ phase: `Receiving ${filename}`, done, total: Math.max(size, done), unit: "bytes" }),
        ),
    };
  } catch (error) {
    if (!mayGoWithout(run, error)) throw error;
    return { id: attachment.id, reason: error.message, needsSignIn: false };
  }
  return null;
}

/** Whether files that the previous version lacks wait for a sign-in that was made since. */
export function isFetchable(session: Session, lacked: Pick<LackingFiles, "files"> | null): boolean {
  const awaits = lacked?.files.some(({ needsSignIn }) => needsSignIn) === true;
  return awaits && sessionForFiles(session) !== null;
}

/** The credential that opens files; the one of the app inside Jira does not. Null when no other one is stored. */
function sessionForFiles(session: Session): Session | null {
  if (session.authMethod !== "forge") return session;
  return session.as("oauth") ?? session.as("token");
}

/** Jira redirects to the host of the bytes, which must not receive the token. A file costs a point, as does its call. */
async function downloadOf(
  session: Session,
  { id, filename, size }: Attachment,
): Promise<Parameters<typeof openDownload>> {
  const token = await session.accessToken();
  const api = siteApi(session.config, connectionSchema.parse(session.connectionDetails).cloudId, token);
  const isDrawn = readApiToken(token) === null;
  const drawing: Session = {
    ...session,
    spend: async (points, quota) => {
      await session.spend(points, quota);
      if (isDrawn) await session.spend(points + 1, APP_QUOTA.resource);
    },
  };
  const download = {
    ...{ platform: "Jira", url: `${api.baseUrl}${paths.attachment(id)}`, headers: api.headers },
    ...{ authorization: api.authorization, readProblem: api.readProblem, quota: "attachment" },
    ...{ about: `the file ${filename}`, sizeBytes: size },
  };
  return [drawing, download as Parameters<typeof openDownload>[1]];
}
