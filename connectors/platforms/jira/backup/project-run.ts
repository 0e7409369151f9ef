import type { BackupEvent } from "#connectors/contract/platform-connector.ts";
import type { StagesRun } from "#connectors/toolkit/records/run-stages.ts";
import { canonicalJson, type Json } from "#core/kernel/canonical-json.ts";
import { sha256Hex } from "#core/kernel/crypto.ts";
import { type JiraClient, jiraClient } from "../client.ts";
import { type Connection, connectionSchema } from "../payloads.ts";
import { formerNames, withNames } from "./people-names.ts";

/** What the stages of a project's backup need. */
export function openProject(run: StagesRun) {
  const connection: Connection = connectionSchema.parse(run.session.connectionDetails);
  return { client: formerless(run), projectId: run.order.item.externalId, connection };
}

/**
 * A client whose answers have no names of closed accounts. Nothing proves that Jira takes them out of everything, e.g. of
 * the history, so that an answer could bring one back.
 */
function formerless(run: StagesRun): JiraClient {
  const client = jiraClient(run.session);
  const former = formerNames(run.order.peopleNews);
  if (former.size === 0) return client;
  return {
    request: async (call, schema, pointsOf) =>
      withNames((await client.request(call, schema, pointsOf)) as Json, former) as never,
  };
}

/** Notes of a run for its later stages and slices. */
export const NOTES = {
  /** Something changed since the previous version; otherwise the project is at rest. */
  isBusy: "isBusy",
  /** Parts of issues that Jira refused to show. */
  lacks: "lacks",
  /** Parts of the configuration that Jira refused to show, with the reason. */
  refused: "refused",
  /** Jira's own number of issues, also those that the account may not see. */
  allIssues: "allIssues",
  /** The numbers of the issues that this run has read. */
  read: "read",
  /** The list of issues had several pages, so that a deletion meanwhile may have hidden one of them. */
  isPaged: "isPaged",
  /** When the reading of issues began, in epoch ms. */
  startedAt: "startedAt",
  /** Days whose share of issues this run reads again. */
  shares: "shares",
  /** The previous version's issues were kept before issues are read. */
  isKept: "isKept",
} as const;

type RecordEvent = Extract<BackupEvent, { type: "record" }>;

/** The record, after noting whether the previous version has it with another content or not at all. */
export async function noted(run: StagesRun, record: RecordEvent): Promise<RecordEvent> {
  const old = (await run.order.previous?.find(record.path))?.hash;
  if (old !== (await sha256Hex(canonicalJson(record.value)))) run.notes[NOTES.isBusy] = true;
  return record;
}
