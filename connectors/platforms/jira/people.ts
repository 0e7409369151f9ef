import { z } from "zod";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { HeldPerson, PeopleReporting } from "#connectors/contract/people.ts";
import type { Session } from "#connectors/contract/platform-connector.ts";
import { createHttpClient } from "#connectors/toolkit/http-client.ts";
import { FORMER_USER } from "./backup/people-names.ts";
import { readNames } from "./backup/people-news.ts";
import { gatewayApi, gatewayPaths } from "./client.ts";
import { connectionSchema, reportedSchema } from "./payloads.ts";
import { personAt, recordPaths } from "./record-paths.ts";

/** "Each request allows up to 90 accounts to be reported on" (user privacy guide). */
const MOST_AT_ONCE = 90;
/** "By default, the cycle period is 7 days" (the same). */
const CYCLE_DAYS = 7;
/** A longer period is not believed, so that a wrong header does not end the reports. */
const LONGEST_CYCLE_DAYS = 30;

const NO_SIGN_IN = "Jira takes reports of accounts by a sign-in only.";
const REFUSED = "Jira does not take our report of accounts: the access lacks a permission (401).";

const STATES = { closed: "closed", updated: "changed" } as const;

/**
 * Atlassian's "Personal data reporting" (user privacy guide for app developers, read 27 November 2026): an app that stores
 * names reports the ids of the accounts once in a cycle, and learns which names it must erase or read again. The call needs
 * the scope `report:personal-data`, so it is made by the sign-in alone.
 */
export const people: PeopleReporting = {
  mostAtOnce: MOST_AT_ONCE,

  async *listPeople(snapshot) {
    for await (const { path } of snapshot.list(recordPaths.people)) yield personAt(path);
  },

  ownerOf(details) {
    const known = connectionSchema.safeParse(details).data;
    return known === undefined || known.accountId === "" ? null : known.accountId;
  },

  async report(session, held) {
    const signedIn = session.authMethod === "oauth" ? session : session.as("oauth");
    if (signedIn === null) throw new ConnectorError("forbidden", NO_SIGN_IN);
    const { status, headers, json } = await reportAccounts(signedIn, held);
    const nextInDays = cycleOf(headers.get("cycle-period"));
    if (status === 204) return { news: [], nextInDays };
    const answer = reportedSchema.safeParse(json);
    if (!answer.success) {
      throw new ConnectorError("malformed", "Jira's answer to the report of accounts is not understood.");
    }
    const asked = new Set(held.map(({ externalId }) => externalId));
    const news = answer.data.accounts
      .filter(({ accountId }) => asked.has(accountId))
      .map(({ accountId, status: told }) => ({ externalId: accountId, state: STATES[told] }));
    return { news, nextInDays };
  },

  async renewOwner(session, state) {
    const details = z.looseObject({}).parse(session.connectionDetails);
    const { accountId } = connectionSchema.parse(details);
    const names = state === "closed" ? null : await readNames(session, [accountId]);
    return { ...details, fullName: names?.get(accountId) ?? FORMER_USER } as typeof session.connectionDetails;
  },
};

/** A refusal is about reports alone: the access is not renewed for it, and never given up. */
function reportAccounts(session: Session, held: readonly HeldPerson[]) {
  const accessToken = async (refused?: string) => {
    if (refused === undefined) return session.accessToken();
    throw new ConnectorError("forbidden", REFUSED, { status: 401 });
  };
  const accounts = held.map(({ externalId, readAt }) => ({
    accountId: externalId,
    updatedAt: new Date(readAt).toISOString(),
  }));
  return createHttpClient({ ...session, accessToken }, gatewayApi(session.config)).send({
    ...{ method: "POST", path: gatewayPaths.reportAccounts, body: { accounts } },
    ...{ about: "the report of accounts", missing: "forbidden" },
  });
}

/** Days until the next report. Nothing proves the form of the header, so anything but a number of days is the default. */
function cycleOf(header: string | null): number {
  const days = /^\d{1,4}$/.test(header ?? "") ? Number(header) : CYCLE_DAYS;
  return days === 0 ? CYCLE_DAYS : Math.min(days, LONGEST_CYCLE_DAYS);
}
