import { z } from "zod";
import type { EntryInfo } from "#connectors/contract/snapshot-view.ts";
import { uploadForm } from "#connectors/toolkit/upload-form.ts";
import { APP_QUOTA, readApiToken, siteApi } from "../client.ts";
import type { AttachmentFacts } from "../record-types.ts";
import { writePaths } from "../write-paths.ts";
import { accountOf } from "./account.ts";
import type { RestoreIo } from "./restore-io.ts";

const attachmentsSchema = z
  .array(z.object({ id: z.union([z.string(), z.number()]).transform(String), filename: z.string() }))
  .min(1);

/** Attaches a file to an issue. @throws ConnectorError */
export async function uploadFile(
  io: Pick<RestoreIo, "session" | "snapshot">,
  issueKey: string,
  { facts, entry }: { facts: AttachmentFacts; entry: EntryInfo },
): Promise<{ id: string; filename: string; size: number }> {
  const { session } = io;
  const { filename, mimeType } = facts;
  const token = await session.accessToken();
  const api = siteApi(session.config, accountOf(session).cloudId, token);
  await session.spend(1, "attachment");
  if (readApiToken(token) === null) await session.spend(1, APP_QUOTA.resource);
  const order = {
    // Jira blocks uploads without the header as forged ones.
    to: { path: writePaths.attachments(issueKey), headers: { "x-atlassian-token": "no-check" } },
    token,
    about: `the file ${filename}`,
    quota: "attachment",
    file: { name: filename, mimeType, entry },
  };
  const [made] = await uploadForm(io, api, order, attachmentsSchema);
  return { id: made?.id ?? "", filename, size: entry.sizeBytes };
}
