import { z } from "zod";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type {
  AccountAnswer,
  Grant,
  PlatformConnector,
  Session,
} from "#connectors/contract/platform-connector.ts";
import type { HttpClient } from "#connectors/toolkit/http-client.ts";
import { githubClient, paths } from "./client.ts";
import { accountSchema, type GithubAccount, installationsSchema } from "./payloads.ts";

/** GitHub's largest page. One page holds all installations of an account in practice. */
const LARGEST_PAGE = 100;

/** An installation of the App, as stored in a connection's details. */
export type Installation = {
  id: string;
  account: string | null;
  covers: string | null;
  isSuspended: boolean;
};

/** Converts a GitHub account to the contract's form. */
export function accountOf(user: GithubAccount): Grant["account"] {
  return { externalId: user.id, name: user.login, type: user.type };
}

/** Lists the installations of the App. The list is empty for an OAuth App, which has no installations. */
export async function listInstallations(client: HttpClient): Promise<Installation[]> {
  return ((await readInstallations(client)) ?? []).map(
    ({ id, account, repository_selection, suspended_at }) => ({
      id,
      account: account?.login ?? null,
      covers: repository_selection,
      isSuspended: suspended_at !== null,
    }),
  );
}

/**
 * Finds an account by its login: the user's own, or an organisation that has the App installed. Returns `delayed` when
 * GitHub lists a new installation but does not serve its repositories yet.
 */
export const findAccount: NonNullable<PlatformConnector["findAccount"]> = async (session, name) => {
  const client = githubClient(session);
  const user = await client.request(
    { method: "GET", path: paths.user, about: "your account" },
    accountSchema,
  );
  const isOwn = sameLogin(user.login, name);
  const installations = await readInstallations(client);
  // An OAuth App's token has no installations; it reaches only what its user can reach.
  if (installations === null) return isOwn ? { kind: "found", account: accountOf(user), isOwn } : MISSING;
  const found = installations.find(({ account }) => account !== null && sameLogin(account.login, name));
  if (!found?.account || found.suspended_at !== null) return MISSING;
  const answer = { account: accountOf(found.account), isOwn };
  return (await isOpen(client, found.id)) ? { kind: "found", ...answer } : { kind: "delayed", ...answer };
};

/**
 * Distinguishes a deleted repository from one that GitHub hides because the App was removed. Both return 404, and
 * treating a removed App as a deletion would end the protection of every item.
 * @throws ConnectorError `unauthorized` with `isAppMissing` when the App was removed from the connected account,
 *   `forbidden` when it was removed only from the repository's owner
 */
export async function requireApp(session: Session, fullName: string): Promise<void> {
  const installations = await readInstallations(githubClient(session));
  if (installations === null) return;
  const isInstalled = (login: string) =>
    installations.some(
      ({ account, suspended_at }) =>
        suspended_at === null && account !== null && sameLogin(account.login, login),
    );
  const owner = fullName.split("/")[0] ?? "";
  if (owner !== "" && isInstalled(owner)) return;
  if (installations.length > 0 && isInstalled(session.accountName)) {
    if (owner === "") return;
    throw new ConnectorError(
      "forbidden",
      `The app was removed from ${owner} at GitHub. Install it there again.`,
    );
  }
  throw new ConnectorError(
    "unauthorized",
    `The app was removed from ${session.accountName} at GitHub. Nothing that was backed up is lost.`,
    { isAppMissing: true },
  );
}

const MISSING: AccountAnswer = { kind: "missing" };

const sameLogin = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

/** Returns null when the token does not belong to a GitHub App. */
async function readInstallations(client: HttpClient) {
  try {
    const { installations } = await client.request(
      {
        method: "GET",
        path: paths.userInstallations,
        query: { per_page: LARGEST_PAGE },
        about: "the App's installations",
      },
      installationsSchema,
    );
    return installations;
  } catch (error) {
    if (error instanceof ConnectorError && (error.kind === "forbidden" || error.kind === "gone")) return null;
    throw error;
  }
}

async function isOpen(client: HttpClient, installationId: string): Promise<boolean> {
  try {
    await client.request(
      {
        method: "GET",
        path: paths.installationRepositories(installationId),
        query: { per_page: 1 },
        about: "the installation",
      },
      z.unknown(),
    );
    return true;
  } catch (error) {
    if (error instanceof ConnectorError && (error.kind === "forbidden" || error.kind === "gone"))
      return false;
    throw error;
  }
}
