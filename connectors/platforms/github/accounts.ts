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

/** The largest page that GitHub gives: an account sees few installations. */
const LARGEST_PAGE = 100;

/** Where the App is installed, as a connection remembers it. */
export type Installation = {
  id: string;
  account: string | null;
  covers: string | null;
  isSuspended: boolean;
};

/** An account in the words of the contract. */
export function accountOf(user: GithubAccount): Grant["account"] {
  return { externalId: user.id, nodeId: user.node_id, name: user.login, type: user.type };
}

/** Where the App is installed; only an OAuth App has no such list, and then it is empty. */
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
 * An account by its login: the user's own, or an organisation on which the App is installed. Right after an installation
 * GitHub lists it, but may still refuse its repositories for a while.
 */
export const findAccount: NonNullable<PlatformConnector["findAccount"]> = async (session, name) => {
  const client = githubClient(session);
  const user = await client.request(
    { method: "GET", path: paths.user, about: "your account" },
    accountSchema,
  );
  const isOwn = sameLogin(user.login, name);
  const installations = await readInstallations(client);
  // The token of an OAuth App has no installations; it reaches what its user reaches.
  if (installations === null) return isOwn ? { kind: "found", account: accountOf(user), isOwn } : MISSING;
  const found = installations.find(({ account }) => account !== null && sameLogin(account.login, name));
  if (!found?.account || found.suspended_at !== null) return MISSING;
  const answer = { account: accountOf(found.account), isOwn };
  return (await isOpen(client, found.id)) ? { kind: "found", ...answer } : { kind: "delayed", ...answer };
};

/**
 * Tells a repository that was deleted from one that GitHub hides because the App was removed: both answer 404, and
 * taking the second for the first would end the protection of everything.
 * @throws ConnectorError `unauthorized` with `isAppMissing` when the App is gone from the connected account,
 *   `forbidden` when it is gone from the repository's owner only
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

/** Null when the token is of no GitHub App. */
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
