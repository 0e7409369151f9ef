import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type { ConnectorConfig, Session } from "#connectors/contract/platform-connector.ts";
import { basicAuthorization, type GitRemote } from "#connectors/toolkit/git/smart-http.ts";
import { createHttpClient, type HttpApi, type HttpClient } from "#connectors/toolkit/http-client.ts";

/** The version of GitHub's REST API that this connector targets. */
export const API_VERSION = "2022-11-28";

const USER_AGENT = "holdfast/1";

/** GitHub's REST API. */
export function githubApi(config: ConnectorConfig): HttpApi {
  return {
    platform: "GitHub",
    baseUrl: config.GITHUB_API_URL ?? "https://api.github.com",
    headers: {
      accept: "application/vnd.github+json",
      "user-agent": USER_AGENT,
      "x-github-api-version": API_VERSION,
    },
  };
}

/** GitHub's web site, which exchanges OAuth tokens. */
export function githubWeb(config: ConnectorConfig): HttpApi {
  return {
    platform: "GitHub",
    baseUrl: webBase(config),
    headers: { accept: "application/json", "user-agent": USER_AGENT },
  };
}

/** A REST API client for one session. */
export function githubClient(session: Session): HttpClient {
  return createHttpClient(session, githubApi(session.config));
}

/** The git remote of a repository. */
export function githubRemote(session: Session, fullName: string): GitRemote {
  let token: string | undefined;
  return {
    url: `${webBase(session.config)}/${encodePath(fullName)}.git`,
    fetch: session.fetch,
    authorization: async (refused) => {
      token = await session.accessToken(refused === undefined ? undefined : token);
      return basicAuthorization("x-access-token", token);
    },
    clock: session.clock,
  };
}

/** Name of the git repository that holds another repository's wiki. */
export function wikiName(fullName: string): string {
  return `${fullName}.wiki`;
}

/** The web page of a repository. */
export function repositoryPage(config: ConnectorConfig, fullName: string): string {
  return `${webBase(config)}/${encodePath(fullName)}`;
}

/**
 * The git remote of a gist. GitHub serves gists from a separate host.
 * @throws ConnectorError `malformed` when the URL is on neither of GitHub's hosts, so that credentials are not sent
 *   there
 */
export function gistRemote(session: Session, gitUrl: string): GitRemote {
  const url = URL.canParse(gitUrl) ? new URL(gitUrl) : null;
  const homes = [webBase(session.config), gistBase(session.config)].map((base) => new URL(base).origin);
  if (url === null || !homes.includes(url.origin)) {
    throw new ConnectorError(
      "malformed",
      "GitHub names another host for this gist; sign-in data is not sent there.",
    );
  }
  return { ...githubRemote(session, ""), url: url.href.replace(/\/$/, "") };
}

/** Base URL of gists: a separate host for github.com, otherwise the same host. */
function gistBase(config: ConnectorConfig): string {
  const web = new URL(webBase(config));
  return web.hostname === "github.com" ? `${web.protocol}//gist.github.com` : webBase(config);
}

/** The web page of a gist. `fullName` ends with the gist's id. */
export function gistPage(config: ConnectorConfig, fullName: string): string {
  return `${gistBase(config)}/${encodeURIComponent(fullName.split("/").at(-1) ?? "")}`;
}

/** Paths of the REST API that the connector uses. Ids and names are percent-encoded. */
export const paths = {
  graphql: "/graphql",
  markdown: "/markdown",
  gists: "/gists",
  gist: (id: string) => `/gists/${encodeURIComponent(id)}`,
  gistComments: (id: string) => `/gists/${encodeURIComponent(id)}/comments`,
  userGists: (login: string) => `/users/${encodeURIComponent(login)}/gists`,
  user: "/user",
  userOrganisations: "/user/orgs",
  userInstallations: "/user/installations",
  installationRepositories: (id: string) => `/user/installations/${encodeURIComponent(id)}/repositories`,
  ownRepositories: "/user/repos",
  userRepositories: (login: string) => `/users/${encodeURIComponent(login)}/repos`,
  organisationRepositories: (login: string) => `/orgs/${encodeURIComponent(login)}/repos`,
  repository: (id: string) => `/repositories/${encodeURIComponent(id)}`,
  repositoryByName: (fullName: string) => `/repos/${encodePath(fullName)}`,
  topics: (fullName: string) => `/repos/${encodePath(fullName)}/topics`,
  actionsPermissions: (fullName: string) => `/repos/${encodePath(fullName)}/actions/permissions`,
  labels: (fullName: string) => `/repos/${encodePath(fullName)}/labels`,
  label: (fullName: string, name: string) =>
    `/repos/${encodePath(fullName)}/labels/${encodeURIComponent(name)}`,
  milestones: (fullName: string) => `/repos/${encodePath(fullName)}/milestones`,
  issues: (fullName: string) => `/repos/${encodePath(fullName)}/issues`,
  issue: (fullName: string, number: number) => `/repos/${encodePath(fullName)}/issues/${number}`,
  issueComments: (fullName: string, number: number) =>
    `/repos/${encodePath(fullName)}/issues/${number}/comments`,
  issueLock: (fullName: string, number: number) => `/repos/${encodePath(fullName)}/issues/${number}/lock`,
  issueImports: (fullName: string) => `/repos/${encodePath(fullName)}/import/issues`,
  pulls: (fullName: string) => `/repos/${encodePath(fullName)}/pulls`,
  subIssues: (fullName: string, number: number) =>
    `/repos/${encodePath(fullName)}/issues/${number}/sub_issues`,
  blockers: (fullName: string, number: number) =>
    `/repos/${encodePath(fullName)}/issues/${number}/dependencies/blocked_by`,
  allCommitComments: (fullName: string) => `/repos/${encodePath(fullName)}/comments`,
  commitComments: (fullName: string, sha: string) =>
    `/repos/${encodePath(fullName)}/commits/${encodeURIComponent(sha)}/comments`,
  autolinks: (fullName: string) => `/repos/${encodePath(fullName)}/autolinks`,
  releases: (fullName: string) => `/repos/${encodePath(fullName)}/releases`,
} as const;

/** Base URL of the web site. */
export function webBase(config: ConnectorConfig): string {
  return config.GITHUB_WEB_URL ?? "https://github.com";
}

function encodePath(fullName: string): string {
  return fullName.split("/").map(encodeURIComponent).join("/");
}
