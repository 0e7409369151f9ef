import type { ConnectorConfig, Session } from "#connectors/contract/platform-connector.ts";
import { basicAuthorization, type GitRemote } from "#connectors/toolkit/git/smart-http.ts";
import { createHttpClient, type HttpApi, type HttpClient } from "#connectors/toolkit/http-client.ts";

/** The version of GitLab's REST API that this connector uses. */
export const API_VERSION = "v4";

const USER_AGENT = "holdfast/1";

/** GitLab's REST API, version 4. Responses name the throttle of authenticated requests in `RateLimit-Name`. */
export function gitlabApi(config: ConnectorConfig): HttpApi {
  return {
    platform: "GitLab",
    baseUrl: `${webBase(config)}/api/${API_VERSION}`,
    headers: { "user-agent": USER_AGENT },
    quota: "throttle_authenticated_api",
  };
}

/** GitLab's web site, which issues tokens. */
export function gitlabWeb(config: ConnectorConfig): HttpApi {
  return { platform: "GitLab", baseUrl: webBase(config), headers: { "user-agent": USER_AGENT } };
}

/** A client of the REST API for one session. */
export function gitlabClient(session: Session): HttpClient {
  return createHttpClient(session, gitlabApi(session.config));
}

/**
 * The remote of a git repository.
 *
 * @param path Below the web site and without `.git`, e.g. `group/project`, `group/project.wiki`, `snippets/12`.
 */
export function gitlabRemote(session: Session, path: string): GitRemote {
  let token: string | undefined;
  return {
    url: `${webBase(session.config)}/${encodePath(path)}.git`,
    fetch: session.fetch,
    authorization: async (refused) => {
      token = await session.accessToken(refused === undefined ? undefined : token);
      return basicAuthorization("oauth2", token);
    },
    clock: session.clock,
  };
}

/** The page of a project, or of a snippet with the name `group/project/snippets/12` or `snippets/12`. */
export function itemPage(
  config: ConnectorConfig,
  { kind, fullName }: { kind: string; fullName: string },
): string {
  const path = encodePath(fullName);
  const page = kind === "snippet" ? path.replace(/(^|\/)snippets\/([0-9]+)$/, "$1-/snippets/$2") : path;
  return `${webBase(config)}/${page}`;
}

/** The base URL of the web site, gitlab.com or self-managed. */
export function webBase(config: ConnectorConfig): string {
  return config.GITLAB_URL ?? "https://gitlab.com";
}

const project = (id: string) => `/projects/${encodeURIComponent(id)}`;

/** GitLab's largest page size. */
export const LARGEST_PAGE = 100;

/** Paths of the REST API. Ids and names are encoded. A project's id may also be its path. */
export const paths = {
  user: "/user",
  projects: "/projects",
  project,
  userProjects: (id: string) => `/users/${encodeURIComponent(id)}/projects`,
  groups: "/groups",
  groupProjects: (id: string) => `/groups/${encodeURIComponent(id)}/projects`,
  issues: (id: string) => `${project(id)}/issues`,
  issue: (id: string, iid: number) => `${project(id)}/issues/${iid}`,
  mergeRequests: (id: string) => `${project(id)}/merge_requests`,
  mergeRequest: (id: string, iid: number) => `${project(id)}/merge_requests/${iid}`,
  labels: (id: string) => `${project(id)}/labels`,
  milestones: (id: string) => `${project(id)}/milestones`,
  milestone: (id: string, milestoneId: number) => `${project(id)}/milestones/${milestoneId}`,
  releases: (id: string) => `${project(id)}/releases`,
  boards: (id: string) => `${project(id)}/boards`,
  boardLists: (id: string, boardId: number) => `${project(id)}/boards/${boardId}/lists`,
  uploads: (id: string) => `${project(id)}/uploads`,
  upload: (id: string, uploadId: number) => `${project(id)}/uploads/${uploadId}`,
  /** An attached file by the parts of a link to it. */
  uploadOf: (id: string, secret: string, filename: string) =>
    `${project(id)}/uploads/${secret}/${encodeURIComponent(filename)}`,
  members: (id: string) => `${project(id)}/members`,
  variables: (id: string) => `${project(id)}/variables`,
  hooks: (id: string) => `${project(id)}/hooks`,
  protectedBranches: (id: string) => `${project(id)}/protected_branches`,
  protectedBranch: (id: string, name: string) =>
    `${project(id)}/protected_branches/${encodeURIComponent(name)}`,
  protectedTags: (id: string) => `${project(id)}/protected_tags`,
  schedules: (id: string) => `${project(id)}/pipeline_schedules`,
  deployKeys: (id: string) => `${project(id)}/deploy_keys`,
  badges: (id: string) => `${project(id)}/badges`,
  issueLinks: (id: string, iid: number) => `${project(id)}/issues/${iid}/links`,
  ownSnippets: "/snippets",
  /** Snippets of a project; null = personal snippets. */
  snippets: (projectId: string | null) =>
    projectId === null ? "/snippets" : `${project(projectId)}/snippets`,
  snippet: (projectId: string | null, id: string) =>
    `${projectId === null ? "" : project(projectId)}/snippets/${encodeURIComponent(id)}`,
} as const;

function encodePath(fullName: string): string {
  return fullName.split("/").map(encodeURIComponent).join("/");
}
