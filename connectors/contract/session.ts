import type { Json } from "#core/kernel/canonical-json.ts";

/** A connector's part of the environment, parsed by the schema in its `authorize.ts`. */
export type ConnectorConfig = Readonly<Record<string, string>>;

/** What the engine passes to a connector for every exchange with the platform. */
export type Session = {
  config: ConnectorConfig;
  /** Plain HTTP. Counts each request against the slice's sub-request budget and does not follow redirects. */
  fetch: (url: string, init?: RequestInit) => Promise<Response>;
  /**
   * Returns a valid access token. Only one refresh per connection runs at a time. Pass `refused` after the platform
   * has answered 401 to a token: that token is refreshed at once, unless another refresh has already replaced it.
   * @throws ConnectorError `unauthorized`
   */
  accessToken: (refused?: string) => Promise<string>;
  /**
   * Reserves `points` requests of a quota. Waits briefly, or throws ConnectorError `rate-limited` with the time to
   * retry. `quota` is the `resource` of a report; absent = the quota of responses that name none. Every call also
   * draws on the declared quotas without `isNamed`.
   * @param how.isSpent The platform has counted these points already, so they are counted and never refused.
   */
  spend: (points: number, quota?: string, how?: { isSpent?: boolean }) => Promise<void>;
  /** Reports the rate limits from a platform's response. */
  report: (limits: RateLimitReport) => Promise<void>;
  clock: { now(): number };
  /** Resolves after the given time. Injected so that tests need not wait. */
  sleep: (ms: number) => Promise<void>;
  /** What the connector stored at authorisation, e.g. installation ids. */
  connectionDetails: Json;
  /** The login or name of the connected account. */
  accountName: string;
  /** The method of the credential in use: the first one declared that works. */
  authMethod: string;
  /**
   * The same session with the connection's credential of another method; null when it has none that works. The platform
   * may end that access at any time, and `accessToken` then throws `unauthorized`.
   */
  as: (authMethod: string) => Session | null;
};

/** The quota of responses that name none. */
export const GENERAL_QUOTA = "core";

/** Quota facts from response headers. `resource` identifies a quota that the platform counts separately. */
export type RateLimitReport = {
  resource: string;
  remaining: number | null;
  /** When it is full again. Null with a `remaining` = not told, for a quota that the platform declares. */
  resetAt: number | null;
  /** The size of the whole quota; null or absent = the response does not tell. */
  size?: number | null;
  retryAt: number | null;
};
