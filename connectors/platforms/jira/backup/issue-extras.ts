import { z } from "zod";
import { isOutOfReach, type StagesRun } from "#connectors/toolkit/records/run-stages.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { readCursor } from "#core/kernel/stored-json.ts";
import { type JiraClient, paths } from "../client.ts";
import {
  type Issue,
  keysSchema,
  propertySchema,
  remoteLinksSchema,
  votersSchema,
  watchersSchema,
} from "../payloads.ts";
import { type IssueExtras, issueExtrasSchema } from "../record-types.ts";
import { plainForm, sortedById } from "./issue-form.ts";
import { NOTES } from "./project-run.ts";

/** Parts of an issue that need calls of their own. Nothing proves that a change of them updates the issue. */
export type ExtraName = "watchers" | "voters" | "remoteLinks" | "properties";

const WORDS: Record<ExtraName, string> = {
  watchers: "who watches an issue",
  voters: "who voted for an issue",
  remoteLinks: "the web links of an issue",
  properties: "the properties of an issue",
};

/** What the previous version has of the issue. `watchCount` and `voteCount` were stored with the issue itself. */
export type OldExtras = { extras: IssueExtras; watchCount: number; voteCount: number };

export type ReadExtras = {
  /** The record's value; null = the issue has nothing of them. */
  value: Json;
  /** Parts that the account may not read; listed once in a version. */
  refused: { name: ExtraName; reason: string }[];
};

/**
 * Reads what an issue has beside its fields. Jira counts watchers and votes with the issue, so they are asked for only
 * if there are any.
 * @param isWhole False = counts that stayed the same keep what the previous version has, and links and properties are
 *   read only if `isLinkDay`.
 */
export async function readExtras(
  run: StagesRun,
  client: JiraClient,
  issue: Issue,
  { old, isWhole, isLinkDay }: { old: OldExtras | null; isWhole: boolean; isLinkDay: boolean },
): Promise<ReadExtras> {
  const refused: ReadExtras["refused"] = [];
  const lacks = new Set(lackedExtras(run));
  const watchCount = issue.fields.watches?.watchCount ?? 0;
  const voteCount = issue.fields.votes?.votes ?? 0;
  const part = async <T>(
    name: ExtraName,
    known: T | undefined,
    isWanted: boolean,
    read: () => Promise<T>,
  ) => {
    if (!isWanted || lacks.has(name)) return known;
    try {
      return await read();
    } catch (error) {
      if (!isOutOfReach(error)) throw error;
      // Jira answers 404 where watching or voting is switched off.
      if (error.kind !== "gone")
        refused.push({ name, reason: `Jira does not show ${WORDS[name]}: ${error.message}` });
      return known;
    }
  };
  const [watchers, voters, remoteLinks, properties] = await Promise.all([
    part(
      "watchers",
      old?.extras.watchers,
      watchCount > 0 && (isWhole || watchCount !== old?.watchCount),
      () => readWatchers(client, issue.id),
    ),
    part("voters", old?.extras.voters, voteCount > 0 && (isWhole || voteCount !== old?.voteCount), () =>
      readVoters(client, issue.id),
    ),
    part("remoteLinks", old?.extras.remoteLinks, isWhole || isLinkDay, () =>
      readRemoteLinks(client, issue.id),
    ),
    part("properties", old?.extras.properties, isWhole || isLinkDay, () => readProperties(client, issue.id)),
  ]);
  const value: { [key: string]: Json } = {
    ...filled("watchers", watchCount === 0 ? [] : watchers),
    ...filled("voters", voteCount === 0 ? [] : voters),
    ...filled("remoteLinks", remoteLinks),
    ...(properties === undefined || Object.keys(properties).length === 0
      ? {}
      : { properties: plainForm(properties) }),
  };
  return { value: Object.keys(value).length === 0 ? null : value, refused };
}

/** Parts that Jira refused earlier in this run. */
export function lackedExtras(run: StagesRun): string[] {
  return readCursor(z.array(z.string()), run.notes[NOTES.lacks]) ?? [];
}

/** Extras as the previous version has them. */
export function oldExtras(stored: unknown): IssueExtras {
  return issueExtrasSchema.parse(stored ?? {});
}

function filled(name: string, list: readonly unknown[] | undefined): { [key: string]: Json } {
  return list === undefined || list.length === 0 ? {} : { [name]: plainForm(list) };
}

const byAccount = <T extends { accountId: string }>(people: readonly T[]): T[] =>
  people.toSorted((one, other) => (one.accountId < other.accountId ? -1 : 1));

async function readWatchers(client: JiraClient, issueId: string) {
  const call = {
    method: "GET",
    path: paths.watchers(issueId),
    about: WORDS.watchers,
    endpoint: "issue",
  } as const;
  const { watchers } = await client.request(call, watchersSchema, (answer) => 2 * answer.watchers.length);
  return byAccount(watchers) as unknown as IssueExtras["watchers"];
}

async function readVoters(client: JiraClient, issueId: string) {
  const call = { method: "GET", path: paths.votes(issueId), about: WORDS.voters, endpoint: "issue" } as const;
  const { voters } = await client.request(call, votersSchema, (answer) => 2 * answer.voters.length);
  return byAccount(voters) as unknown as IssueExtras["voters"];
}

async function readRemoteLinks(client: JiraClient, issueId: string) {
  const path = paths.remoteLinks(issueId);
  const call = { method: "GET", path, about: WORDS.remoteLinks, endpoint: "issue" } as const;
  const links = await client.request(call, remoteLinksSchema);
  return sortedById(links as Json[]) as unknown as IssueExtras["remoteLinks"];
}

async function readProperties(client: JiraClient, issueId: string) {
  const path = paths.issueProperties(issueId);
  const call = { method: "GET", path, about: WORDS.properties, endpoint: "issue" } as const;
  const { keys } = await client.request(call, keysSchema);
  const properties: IssueExtras["properties"] = {};
  for (const { key } of keys) {
    const one = await client.request({ ...call, path: paths.issueProperty(issueId, key) }, propertySchema);
    properties[key] = one.value;
  }
  return properties;
}
