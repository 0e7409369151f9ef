import { ConnectorError } from "#connectors/contract/connector-error.ts";
import type {
  ConnectorConfig,
  Quota,
  RateLimitReport,
  Session,
} from "#connectors/contract/platform-connector.ts";
import {
  createHttpClient,
  type HttpApi,
  type HttpClient,
  httpProblem,
} from "#connectors/toolkit/http-client.ts";
import { retryTime } from "#connectors/toolkit/retry-time.ts";
import { SECOND_MS } from "#core/kernel/clock.ts";

/** The version of Trello's REST API that this connector uses. */
export const API_VERSION = "1";

const USER_AGENT = "holdfast/1";

/** Limit for all customers together, because they share our key (Trello's documentation, "Rate limits"). */
const KEY_QUOTA = { resource: "key", owner: "app", points: 300, perMs: 10 * SECOND_MS } as const;
/** Limit for one token. */
const TOKEN_QUOTA = { resource: "token", owner: "account", points: 100, perMs: 10 * SECOND_MS } as const;
/** Limit for requests below `/members`. */
export const MEMBERS_QUOTA = {
  resource: "members",
  owner: "account",
  points: 100,
  perMs: 900 * SECOND_MS,
  isNamed: true,
} as const;

/** Trello's limits, which we count, because Trello blocks a key that continues after 200 refusals. */
export const quotas: readonly Quota[] = [KEY_QUOTA, TOKEN_QUOTA, MEMBERS_QUOTA];

/** Trello's REST API. */
export function trelloApi(config: ConnectorConfig): HttpApi {
  return {
    platform: "Trello",
    baseUrl: config.TRELLO_API_URL ?? `https://api.trello.com/${API_VERSION}`,
    headers: { "user-agent": USER_AGENT },
    authorization: (token) => authorizationOf(config, token),
    readLimits: readTrelloLimits,
    readProblem: readTrelloProblem,
  };
}

/** Atlassian's server that issues OAuth 2.0 tokens. */
export function atlassianAuth(config: ConnectorConfig): HttpApi {
  return {
    platform: "Trello",
    baseUrl: config.TRELLO_AUTH_URL ?? "https://auth.atlassian.com",
    headers: { "user-agent": USER_AGENT },
  };
}

/** A client of the REST API for one session. */
export function trelloClient(session: Session): HttpClient {
  return createHttpClient(session, trelloApi(session.config));
}

/** Whether a token comes from the token page, not from OAuth 2.0. */
export function isPageToken(token: string): boolean {
  return /^(ATTA[0-9A-Za-z]{60,}|[0-9a-f]{64})$/.test(token);
}

/**
 * The Authorization header for a token. A token from the token page is sent with our key, and never in a URL, because
 * URLs end up in logs.
 */
export function authorizationOf(config: ConnectorConfig, token: string): string {
  if (!isPageToken(token)) return `Bearer ${token}`;
  return `OAuth oauth_consumer_key="${config.TRELLO_API_KEY ?? ""}", oauth_token="${token}"`;
}

/**
 * What is left of the limits, as each response reports it (Trello's staff in Atlassian's developer community, "I keep getting
 * 429 rate limit errors", and recorded responses). No header has the time of a reset. A third figure, of the member, counts
 * the member's requests through all applications, so the account has the lesser of the two. Our own count is usually
 * the same; so only a limit of which others may have used much is reported.
 */
export function readTrelloLimits(headers: Headers): RateLimitReport[] {
  const left = (name: string) => {
    const text = headers.get(`x-rate-limit-${name}-remaining`) ?? "";
    return /^[0-9]{1,9}$/.test(text) ? Number(text) : Number.POSITIVE_INFINITY;
  };
  const reports = [
    { quota: TOKEN_QUOTA, remaining: Math.min(left("api-token"), left("member")) },
    { quota: KEY_QUOTA, remaining: left("api-key") },
  ];
  return reports
    .filter(({ quota, remaining }) => remaining <= quota.points / 2)
    .map(({ quota: { resource }, remaining }) => ({ resource, remaining, resetAt: null, retryAt: null }));
}

/**
 * Interprets error responses whose status is misleading: Trello responds with 401 for a board that the account may not
 * see although the token is valid, and gives no time for an exceeded limit. Plain text responses are quoted.
 */
export const readTrelloProblem: NonNullable<HttpApi["readProblem"]> = (response, text, call, nowMs) => {
  const { status, headers } = response;
  if (status === 429) {
    const quota = spentQuota(text);
    const advised = headers.has("retry-after") ? retryTime(headers, nowMs) : 0;
    const retryAt = Math.max(nowMs + quota.perMs, advised);
    const error = new ConnectorError("rate-limited", `Trello asks us to wait (${status}).`, {
      status,
      retryAt,
    });
    // `retryAt` would pause every call, but this quota covers only one kind of call.
    const isOne = quota.resource === MEMBERS_QUOTA.resource;
    const limits = isOne
      ? { resource: quota.resource, remaining: 0, resetAt: retryAt, retryAt: null }
      : { resource: quota.resource, remaining: null, resetAt: null, retryAt };
    return { error, limits };
  }
  if (status === 401) {
    if (!/permission requested|unauthorized (organization|board|card)/i.test(text)) return null;
    const message = `Trello does not let us reach ${call.about} (${status}).`;
    return { error: new ConnectorError("forbidden", message, { status }) };
  }
  // Trello does not document how many cards with which parts are too many.
  if (status === 403 && /TOO_MANY_CARDS_REQUESTED|too many cards were requested/i.test(text)) {
    const message = `Trello refuses ${call.about} as too many cards at once (${status}).`;
    return { error: new ConnectorError("malformed", message, { status, isTooMuch: true }) };
  }
  if (!/^text\/plain/i.test(headers.get("content-type") ?? "")) return null;
  const said = JSON.stringify({ message: text });
  return { error: httpProblem({ platform: "Trello" }, call, response, said, nowMs) };
};

function spentQuota(text: string): Quota {
  if (/API_KEY_LIMIT/i.test(text)) return KEY_QUOTA;
  if (/MEMBER_?LIMIT|\/members/i.test(text)) return MEMBERS_QUOTA;
  return TOKEN_QUOTA;
}

/** The page of a board, from its full name in `inventory.ts`: `Workspace/Name (shortLink)`. */
export function boardPage(config: ConnectorConfig, { fullName }: { fullName: string }): string {
  const shortLink = /\(([A-Za-z0-9]+)\)$/.exec(fullName)?.[1];
  const web = webBase(config);
  return shortLink === undefined ? web : `${web}/b/${shortLink}`;
}

/** The base URL of the web site. */
export function webBase(config: ConnectorConfig): string {
  return config.TRELLO_URL ?? "https://trello.com";
}

const id = encodeURIComponent;

/** Paths of the REST API. Ids are encoded. */
export const paths = {
  me: "/members/me",
  ownBoards: "/members/me/boards",
  ownOrganizations: "/members/me/organizations",
  organizationBoards: (organizationId: string) => `/organizations/${id(organizationId)}/boards`,
  boards: "/boards",
  board: (boardId: string) => `/boards/${id(boardId)}`,
  boardActions: (boardId: string) => `/boards/${id(boardId)}/actions`,
  boardCards: (boardId: string) => `/boards/${id(boardId)}/cards`,
  boardLists: (boardId: string) => `/boards/${id(boardId)}/lists`,
  boardLabels: (boardId: string) => `/boards/${id(boardId)}/labels`,
  boardCustomFields: (boardId: string) => `/boards/${id(boardId)}/customFields`,
  labels: "/labels",
  lists: "/lists",
  list: (listId: string) => `/lists/${id(listId)}`,
  customFields: "/customFields",
  customFieldOptions: (fieldId: string) => `/customFields/${id(fieldId)}/options`,
  cards: "/cards",
  card: (cardId: string) => `/cards/${id(cardId)}`,
  cardActions: (cardId: string) => `/cards/${id(cardId)}/actions`,
  cardComments: (cardId: string) => `/cards/${id(cardId)}/actions/comments`,
  cardChecklists: (cardId: string) => `/cards/${id(cardId)}/checklists`,
  cardCustomFields: (cardId: string) => `/cards/${id(cardId)}/customFields`,
  cardStickers: (cardId: string) => `/cards/${id(cardId)}/stickers`,
  cardVotes: (cardId: string) => `/cards/${id(cardId)}/membersVoted`,
  attachments: (cardId: string) => `/cards/${id(cardId)}/attachments`,
  attachment: (cardId: string, attachmentId: string) =>
    `/cards/${id(cardId)}/attachments/${id(attachmentId)}`,
  download: (cardId: string, attachmentId: string, fileName: string) =>
    `/cards/${id(cardId)}/attachments/${id(attachmentId)}/download/${id(fileName)}`,
  checklists: "/checklists",
  checklist: (checklistId: string) => `/checklists/${id(checklistId)}`,
  checkItems: (checklistId: string) => `/checklists/${id(checklistId)}/checkItems`,
} as const;
