import type { HistoryRow } from "#core/backups/views.ts";
import type { ItemView } from "#core/inventory/views.ts";
import { cloneFrom, type Fingerprint } from "#tests/harness/fingerprint.ts";
import { executeLocally } from "#workers/commands/local-databases.ts";
import { expect } from "./fixtures.ts";
import { atGithub, createRepository } from "./outside.ts";
import type { JourneyPerson } from "./person.ts";
import { APP_URL, GITHUB_URL, JOB_MS } from "./stack.ts";
import { addRepositories, waitForBackup } from "./steps.ts";

export const OWNER = "nora-lindqvist";

/** Creates a repository with two branches. */
export async function createBranchedRepository(name: string): Promise<void> {
  await createRepository(`${OWNER}/${name}`, { commits: 5 });
  await atGithub(`repos/${OWNER}/${name}/commits`, { count: 3, branch: "release/2" });
}

/** Creates and protects such a repository, and waits for its first version and the version's check. */
export async function protect(person: JourneyPerson, name: string): Promise<ItemView> {
  await createBranchedRepository(name);
  await addRepositories(person, OWNER, [name]);
  const item = await waitForBackup(person, name);
  await waitForCheck(person, item);
  return item;
}

/** Refs and objects of a repository at GitHub, as plain git clones them. */
export async function atGithubNow(fullName: string): Promise<Fingerprint> {
  const answer = await fetch(`${GITHUB_URL}/__sim/github/token`, {
    method: "POST",
    body: JSON.stringify({ login: OWNER }),
  });
  const { token } = (await answer.json()) as { token: string };
  const url = new URL(`${GITHUB_URL}/${fullName}.git`);
  url.username = "x-access-token";
  url.password = token;
  return cloneFrom(url.href);
}

/** The versions and restores of an item, newest first, from the API. */
export async function historyOf(person: JourneyPerson, item: Pick<ItemView, "id">): Promise<HistoryRow[]> {
  const input = { itemId: item.id, page: 0, perPage: 20 };
  const rows = await person.call<{ view: HistoryRow }[]>("POST", "user/get-items-backups", input);
  return rows.map(({ view }) => view);
}

/** Waits until the newest version has passed its check. */
export async function waitForCheck(person: JourneyPerson, item: Pick<ItemView, "id">): Promise<HistoryRow> {
  let newest: HistoryRow | undefined;
  await expect
    .poll(
      async () => {
        newest = (await historyOf(person, item)).find(({ type }) => type === "backup");
        return newest?.verify?.state;
      },
      { timeout: JOB_MS },
    )
    .toBe("verified");
  if (!newest) throw new Error("There is no version.");
  return newest;
}

/**
 * Changes rows of the European ledger directly: for states that take a day (an expired link) or that pass too quickly
 * (a version that waits for its check).
 */
export async function changeLedger(sql: string): Promise<void> {
  await executeLocally(APP_URL, "LEDGER_DE", sql);
}
