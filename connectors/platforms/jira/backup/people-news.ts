import type { Session } from "#connectors/contract/platform-connector.ts";
import type { SnapshotView } from "#connectors/contract/snapshot-view.ts";
import type { StagesRun } from "#connectors/toolkit/records/run-stages.ts";
import { jiraClient, paths } from "../client.ts";
import { usersSchema } from "../payloads.ts";
import { recordPaths } from "../record-paths.ts";
import { FORMER_USER, formerNames, type Names } from "./people-names.ts";

/** Users that Jira returns at once without being asked for more (contract, `maxResults`). */
const USERS_AT_ONCE = 10;

/** What a run knows of the people in its previous version. */
export type PeopleNews = {
  /** Every closed account. What Jira shows of it is not trusted to be without its name. */
  former: Names;
  /** The names that records of the previous version must have: of closed accounts, and of those that changed. */
  names: Names;
  /** The closed accounts that the previous version has a note of. */
  closed: string[];
  /** The previous version does not tell whose names it holds. */
  isUnknown: boolean;
};

const opened = new WeakMap<StagesRun, Promise<PeopleNews>>();

/** What is new about the people in the previous version. Asks Jira only for names that changed, once in a slice. */
export function peopleNews(run: StagesRun): Promise<PeopleNews> {
  const known = opened.get(run);
  if (known) return known;
  const news = readNews(run);
  opened.set(run, news);
  // A failure that passes is asked about again.
  news.catch(() => opened.delete(run));
  return news;
}

async function readNews(run: StagesRun): Promise<PeopleNews> {
  const { previous, peopleNews: told = [] } = run.order;
  const former = formerNames(told);
  const isUnknown = previous !== null && (await hasNone(previous));
  const names = new Map<string, string>();
  const closed: string[] = [];
  const outdated: string[] = [];
  for (const { externalId, state } of previous === null ? [] : told) {
    const isNoted = (await previous?.find(recordPaths.person(externalId))) != null;
    if (!isNoted && !isUnknown) continue;
    if (state === "changed") outdated.push(externalId);
    else names.set(externalId, FORMER_USER);
    if (state === "closed" && isNoted) closed.push(externalId);
  }
  for (const [id, name] of await readNames(run.session, outdated)) names.set(id, name);
  return { former, names, closed, isUnknown };
}

async function hasNone(previous: SnapshotView): Promise<boolean> {
  for await (const _ of previous.list(recordPaths.people)) return false;
  return true;
}

/** The current names. Who is no member of the site any more has none that we may hold. */
export async function readNames(session: Session, ids: readonly string[]): Promise<Map<string, string>> {
  const names = new Map(ids.map((id) => [id, FORMER_USER]));
  const client = jiraClient(session);
  for (let from = 0; from < ids.length; from += USERS_AT_ONCE) {
    const asked = ids.slice(from, from + USERS_AT_ONCE).map((id) => `accountId=${encodeURIComponent(id)}`);
    const call = { method: "GET", path: `${paths.users}?${asked.join("&")}`, endpoint: "account" } as const;
    const { values } = await client.request({ ...call, about: "the names of people" }, usersSchema);
    for (const { accountId, displayName } of values) {
      if (names.has(accountId) && displayName !== "") names.set(accountId, displayName);
    }
  }
  return names;
}
