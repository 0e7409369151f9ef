import type { z } from "zod";
import { ConnectorError } from "#connectors/contract/connector-error.ts";
import {
  type ConnectorConfig,
  GENERAL_QUOTA,
  type Quota,
  type RateLimitReport,
  type Session,
} from "#connectors/contract/platform-connector.ts";
import {
  createHttpClient,
  type HttpApi,
  type HttpCall,
  type HttpClient,
  type HttpClientDeps,
  httpProblem,
} from "#connectors/toolkit/http-client.ts";
import { retryTime } from "#connectors/toolkit/retry-time.ts";
import { HOUR_MS, SECOND_MS } from "#core/kernel/clock.ts";
import { connectionSchema } from "./payloads.ts";

/** The version of Jira's REST API that this connector uses. */
export const API_VERSION = "3";

const USER_AGENT = "holdfast/1";

/**
 * Points of all customers together. Every call of our app costs one, and one more for each issue, project or file that
 * it returns. Calls with a customer's own API token are exempt (Jira's documentation, "Rate limiting", since 2 March 2026).
 */
export const APP_QUOTA = {
  resource: "app",
  owner: "app",
  points: 65_000,
  perMs: HOUR_MS,
  isNamed: true,
} as const satisfies Quota;

/** Responses do not report what is left for all customers together, so we count. */
export const quotas: readonly Quota[] = [APP_QUOTA];

/** The parts of the API that have a limit of their own for each site ("burst"). */
export type Endpoint = "search" | "issue" | "attachment" | "project" | "configuration" | "agile" | "account";

/** A call, with the part of the API that it belongs to. */
export type JiraCall = Omit<HttpCall, "quota"> & { endpoint: Endpoint };

/** Client of one site; every failure is a ConnectorError. */
export type JiraClient = {
  /**
   * Sends a call and parses the response. Waits for the end of a short limit.
   * @param pointsOf The points of the answer besides the one of the call. @throws ConnectorError
   */
  request<S extends z.ZodType>(
    call: JiraCall,
    schema: S,
    pointsOf?: (answer: z.output<S>) => number,
  ): Promise<z.output<S>>;
};

/** Waits up to this long are made within a call; a longer one ends the slice. */
const LONGEST_PAUSE_MS = 10 * SECOND_MS;
const MOST_PAUSES = 5;

/** A client of the connected site. */
export function jiraClient(session: Session): JiraClient {
  const { cloudId } = connectionSchema.parse(session.connectionDetails);
  return siteClient(session, session.config, cloudId);
}

/** A client of a site that is not connected yet. */
export function siteClient(
  deps: HttpClientDeps & Required<Pick<HttpClientDeps, "accessToken">>,
  config: ConnectorConfig,
  cloudId: string,
): JiraClient {
  const draws = (token: string) => !isApiToken(token);
  let opened: Promise<{ http: HttpClient; isDrawn: boolean }> | null = null;
  const open = async () => {
    const token = await deps.accessToken();
    const isDrawn = draws(token);
    const spend = async (points: number, part?: string) => {
      await deps.spend?.(points, part);
      if (isDrawn) await deps.spend?.(points, APP_QUOTA.resource);
    };
    return { http: createHttpClient({ ...deps, spend }, siteApi(config, cloudId, token)), isDrawn };
  };
  return {
    async request({ endpoint, ...call }, schema, pointsOf) {
      opened ??= open();
      const { http, isDrawn } = await opened.catch((cause: unknown) => {
        opened = null;
        throw cause;
      });
      const answer = await patiently(deps, () => http.request({ ...call, quota: endpoint }, schema));
      const points = pointsOf?.(answer) ?? 0;
      // A spent pool stops the next call, so this answer is not lost.
      if (isDrawn && points > 0) await deps.spend?.(points, APP_QUOTA.resource, { isSpent: true });
      return answer;
    },
  };
}

/** Repeats a call that Jira refused for a moment: it has not been carried out. */
async function patiently<T>({ clock, sleep }: HttpClientDeps, ask: () => Promise<T>): Promise<T> {
  for (let pauses = 0; ; pauses++) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof ConnectorError) || error.kind !== "rate-limited") throw error;
      const waitMs = (error.retryAt ?? Number.POSITIVE_INFINITY) - clock.now();
      if (waitMs > LONGEST_PAUSE_MS || pauses === MOST_PAUSES || sleep === undefined) throw error;
      await sleep(Math.max(waitMs, 50));
    }
  }
}

/** The host of Atlassian's APIs: the sites of a grant. */
export function gatewayApi(config: ConnectorConfig): HttpApi {
  return {
    platform: "Jira",
    baseUrl: config.JIRA_API_URL ?? "https://api.atlassian.com",
    headers: { "user-agent": USER_AGENT },
    readProblem: readJiraProblem,
  };
}

/** Atlassian's server that issues OAuth 2.0 tokens. */
export function atlassianAuth(config: ConnectorConfig): HttpApi {
  return {
    platform: "Jira",
    baseUrl: config.JIRA_AUTH_URL ?? "https://auth.atlassian.com",
    headers: { "user-agent": USER_AGENT },
  };
}

/**
 * The REST API of a site. OAuth tokens, tokens of the Forge app and API tokens with scopes work at the gateway; an API
 * token without scopes works only at the site's own address, which is then part of the stored token (Atlassian's
 * documentation, "Manage API tokens for your Atlassian account").
 */
export function siteApi(config: ConnectorConfig, cloudId: string, token: string): HttpApi {
  const gateway = gatewayApi(config);
  const site = readApiToken(token)?.site ?? null;
  if (site !== null && !isSiteAddress(config, site)) {
    throw new ConnectorError("unauthorized", "The address in the API token is no Jira site.");
  }
  return {
    ...gateway,
    baseUrl: site ?? `${gateway.baseUrl}/ex/jira/${encodeURIComponent(cloudId)}`,
    authorization: authorizationOf,
  };
}

/** An API token as people enter it and as we store it: `email:token`, behind the site's address if it has no scopes. */
export type ApiToken = { site: string | null; email: string; secret: string };

/** Parses an API token; null = it is another kind of token. */
export function readApiToken(text: string): ApiToken | null {
  const match = /^(?:(https?:\/\/\S+)\s+)?([^\s:@]+@[^\s:@]+):(\S+)$/.exec(text);
  if (match === null) return null;
  const [, site, email = "", secret = ""] = match;
  return { site: site?.replace(/(?<!\/)\/+$/, "") ?? null, email, secret };
}

const isApiToken = (token: string) => readApiToken(token) !== null;

/** Whether an address belongs to Atlassian's sites, because a token is sent to it. */
export function isSiteAddress(config: ConnectorConfig, address: string): boolean {
  if (config.JIRA_URL && `${address}/`.startsWith(`${config.JIRA_URL}/`)) return true;
  return /^https:\/\/[a-z0-9-]+\.(atlassian\.net|jira\.com)$/.test(address);
}

/** The Authorization header for a token. */
function authorizationOf(token: string): string {
  const own = readApiToken(token);
  if (own === null) return `Bearer ${token}`;
  const bytes = new TextEncoder().encode(`${own.email}:${own.secret}`);
  return `Basic ${btoa(String.fromCharCode(...bytes))}`;
}

/**
 * Interprets Jira's errors. A 429 names in `RateLimit-Reason` which limit was met, and each has its own scope (Jira's
 * documentation, "Rate limiting"). A token that lacks a scope gets 401. A 410 is about our call, never about an item:
 * `/search` was removed in that way.
 */
export const readJiraProblem: NonNullable<HttpApi["readProblem"]> = (response, text, call, nowMs) => {
  const { status, headers } = response;
  if (status === 429) return limitOf(headers, call, nowMs);
  if (status === 410) {
    const message = `Jira no longer offers the way in which we ask for ${call.about} (410).`;
    return { error: new ConnectorError("unsupported", message, { status }) };
  }
  if (status === 401 && /scope/i.test(text)) {
    const message = `Jira does not let us reach ${call.about}: the access lacks a permission (401).`;
    return { error: new ConnectorError("forbidden", message, { status }) };
  }
  const said = sentencesOf(text);
  if (said === null) return null;
  const body = JSON.stringify({ message: said });
  return { error: httpProblem({ platform: "Jira" }, call, response, body, nowMs) };
};

function limitOf(
  headers: Headers,
  { quota }: Pick<HttpCall, "quota">,
  nowMs: number,
): { error: ConnectorError; limits: RateLimitReport } {
  const reason = headers.get("ratelimit-reason") ?? "";
  const retryAt = waitUntil(headers, reason, nowMs);
  const error = new ConnectorError("rate-limited", "Jira asks us to wait (429).", { status: 429, retryAt });
  // Every call stops until `retryAt`. A resource without points stops only the calls that draw on it.
  const all = { resource: GENERAL_QUOTA, remaining: null, resetAt: null, retryAt };
  const one = (resource: string) => ({ resource, remaining: 0, resetAt: retryAt, retryAt: null });
  switch (reason) {
    case "jira-quota-global-based":
      return { error, limits: one(APP_QUOTA.resource) };
    case "jira-burst-based":
      return { error, limits: quota === undefined ? all : one(quota) };
    case "jira-per-issue-on-write":
      return { error, limits: { ...all, retryAt: null } };
    default:
      return { error, limits: all };
  }
}

/** When the limit ends. Both pools of points are filled at the start of each hour, UTC. */
function waitUntil(headers: Headers, reason: string, nowMs: number): number {
  const stated = statedReset(headers, nowMs);
  if (headers.has("retry-after")) {
    const advised = retryTime(headers, nowMs);
    return stated === null ? advised : Math.max(stated, advised);
  }
  if (stated !== null) return stated;
  if (/quota/.test(reason)) return Math.max((Math.floor(nowMs / HOUR_MS) + 1) * HOUR_MS, nowMs + SECOND_MS);
  return nowMs + (reason === "" ? 60 : 2) * SECOND_MS;
}

/** `X-RateLimit-Reset`, an ISO time. */
function statedReset(headers: Headers, nowMs: number): number | null {
  const text = headers.get("x-ratelimit-reset") ?? "";
  const time = /^\d{4}-/.test(text) ? Date.parse(text) : Number.NaN;
  return time > nowMs && time <= nowMs + 2 * HOUR_MS ? time : null;
}

/** Jira's messages: `{ errorMessages: ["…"], errors: { field: "…" } }`; null = another form. */
function sentencesOf(text: string): string | null {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof body !== "object" || body === null || !("errorMessages" in body)) return null;
  const { errorMessages, errors } = body as { errorMessages: unknown; errors?: unknown };
  const words = Array.isArray(errorMessages) ? errorMessages.filter((one) => typeof one === "string") : [];
  if (typeof errors === "object" && errors !== null) {
    for (const [field, said] of Object.entries(errors)) words.push(`${field}: ${said}`);
  }
  return words.join(" ");
}

/** The page of a project, from its full name `KEY · Name` and its site. */
export function projectPage(
  config: ConnectorConfig,
  { fullName, details }: { fullName: string; details?: unknown },
): string {
  const key = fullName.split(" ", 1)[0] ?? "";
  const known = (details as { siteUrl?: unknown } | null | undefined)?.siteUrl;
  const site = typeof known === "string" && isSiteAddress(config, known) ? known : webBase(config);
  return `${site}/browse/${encodeURIComponent(key)}`;
}

/** The base URL of pages when the site is unknown. */
export function webBase(config: ConnectorConfig): string {
  return config.JIRA_URL || "https://home.atlassian.com";
}

const id = encodeURIComponent;
const REST = `/rest/api/${API_VERSION}`;
const AGILE = "/rest/agile/1.0";
const DESK = "/rest/servicedeskapi";

/** Paths of the gateway. */
export const gatewayPaths = {
  sites: "/oauth/token/accessible-resources",
  /** Atlassian's "User privacy guide for app developers". */
  reportAccounts: "/app/report-accounts/",
} as const;

/** Where a site returns its id without sign-in (Atlassian's documentation, "Retrieve my Atlassian site's Cloud ID"). */
export const TENANT_PATH = "/_edge/tenant_info";

/** Paths of a site's API. Ids are encoded. */
export const paths = {
  me: `${REST}/myself`,
  users: `${REST}/user/bulk`,
  myPermissions: `${REST}/mypermissions`,
  licensedUsers: `${REST}/license/approximateLicenseCount`,
  projects: `${REST}/project/search`,
  project: (project: string) => `${REST}/project/${id(project)}`,
  projectStatuses: (project: string) => `${REST}/project/${id(project)}/statuses`,
  projectRoles: (project: string) => `${REST}/project/${id(project)}/role`,
  projectRole: (project: string, role: string) => `${REST}/project/${id(project)}/role/${id(role)}`,
  projectFeatures: (project: string) => `${REST}/project/${id(project)}/features`,
  projectProperties: (project: string) => `${REST}/project/${id(project)}/properties`,
  projectProperty: (project: string, key: string) => `${REST}/project/${id(project)}/properties/${id(key)}`,
  permissionScheme: (project: string) => `${REST}/project/${id(project)}/permissionscheme`,
  notificationScheme: (project: string) => `${REST}/project/${id(project)}/notificationscheme`,
  securityScheme: (project: string) => `${REST}/project/${id(project)}/issuesecuritylevelscheme`,
  issueTypeSchemes: `${REST}/issuetypescheme/project`,
  workflowSchemes: `${REST}/workflowscheme/project`,
  workflows: `${REST}/workflows`,
  screenSchemesOfProject: `${REST}/issuetypescreenscheme/project`,
  screenSchemeItems: `${REST}/issuetypescreenscheme/mapping`,
  screenSchemes: `${REST}/screenscheme`,
  screenTabs: (screen: string) => `${REST}/screens/${id(screen)}/tabs`,
  tabFields: (screen: string, tab: string) => `${REST}/screens/${id(screen)}/tabs/${id(tab)}/fields`,
  fieldSchemes: `${REST}/fieldconfigurationscheme/project`,
  createTypes: (project: string) => `${REST}/issue/createmeta/${id(project)}/issuetypes`,
  createFields: (project: string, type: string) =>
    `${REST}/issue/createmeta/${id(project)}/issuetypes/${id(type)}`,
  fields: `${REST}/field`,
  priorities: `${REST}/priority/search`,
  resolutions: `${REST}/resolution`,
  linkTypes: `${REST}/issueLinkType`,
  filters: `${REST}/filter/search`,
  filter: (filter: string) => `${REST}/filter/${id(filter)}`,
  search: `${REST}/search/jql`,
  count: `${REST}/search/approximate-count`,
  bulkFetch: `${REST}/issue/bulkfetch`,
  issue: (issue: string) => `${REST}/issue/${id(issue)}`,
  comments: (issue: string) => `${REST}/issue/${id(issue)}/comment`,
  worklogs: (issue: string) => `${REST}/issue/${id(issue)}/worklog`,
  changes: (issue: string) => `${REST}/issue/${id(issue)}/changelog`,
  watchers: (issue: string) => `${REST}/issue/${id(issue)}/watchers`,
  votes: (issue: string) => `${REST}/issue/${id(issue)}/votes`,
  remoteLinks: (issue: string) => `${REST}/issue/${id(issue)}/remotelink`,
  issueProperties: (issue: string) => `${REST}/issue/${id(issue)}/properties`,
  issueProperty: (issue: string, key: string) => `${REST}/issue/${id(issue)}/properties/${id(key)}`,
  attachment: (attachment: string) => `${REST}/attachment/content/${id(attachment)}`,
  boards: `${AGILE}/board`,
  boardColumns: (board: string) => `${AGILE}/board/${id(board)}/configuration`,
  sprints: (board: string) => `${AGILE}/board/${id(board)}/sprint`,
  serviceDesks: `${DESK}/servicedesk`,
  requestTypes: (desk: string) => `${DESK}/servicedesk/${id(desk)}/requesttype`,
  queues: (desk: string) => `${DESK}/servicedesk/${id(desk)}/queue`,
} as const;
