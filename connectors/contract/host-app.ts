import type { z } from "zod";
import type { AuthorisationIo, Grant } from "./platform-connector.ts";

/** The licence that a marketplace sold for an installation, as the host states it in a signed call. */
export type HostLicence = {
  isActive: boolean;
  /** An evaluation that the marketplace gives free of charge. */
  isTrial: boolean;
  /** The larger of the marketplace's two editions. */
  isAdvanced: boolean;
  /** Epoch ms; null when the host names no end. */
  endsAt: number | null;
};

/** What a host's signed call says. */
export type HostCall = {
  /** The customer's site: stable, also when the app is installed again. */
  siteId: string;
  /** The site's web address; null when the host does not name it. */
  siteUrl: string | null;
  installationId: string;
  /** The person at the host; null for a call that no person caused. */
  accountId: string | null;
  /** Null when the host states none: a free app, or one that is not in the marketplace. */
  licence: HostLicence | null;
};

/** What a host reports. Only a hint: it may be late, repeated or missing. */
export type HostEvent = { kind: "alive" } | { kind: "changed"; itemExternalId: string };

/** An OAuth token that a call brings along. */
export type HostToken = {
  accessToken: string;
  /** Epoch ms. */
  expiresAt: number;
};

/** The tokens beside a signed call; null = it brought none that can be used. */
export type HostTokens = {
  /** Acts as our app at the call's site. */
  app: HostToken | null;
  /** Acts as the person of the call. */
  person: HostToken | null;
};

/** What verifying a call needs. */
export type HostIo = { fetch: typeof fetch; now: () => number };

/** A host whose settings are complete. */
export interface Host {
  platform: string;
  /** The first part of our paths for the host, e.g. `/forge`. */
  base: string;
  /** The platform's method whose tokens the host brings. */
  authMethod: string;
  /** Origins of customers' sites, as sources of a Content-Security-Policy. */
  siteOrigins: readonly string[];
  /** Origins of the app's own page at the host, in the same form. */
  shellOrigins: readonly string[];
  /** @throws HostCallError when the call is not the host's, is not for this app, or is over */
  readCall(io: HostIo, token: string): Promise<HostCall>;
  /** Reads a reported event. An unknown one only says that the installation is alive. */
  readEvent(body: unknown): HostEvent;
  /** The tokens in the headers of a verified call. They are for the call's site and nothing else. */
  readTokens(headers: Headers): HostTokens;
  /**
   * The site of a verified call as an account that our app reaches by its own token.
   * @throws ConnectorError `forbidden` when the call's person is no administrator of the site, or a token is missing
   */
  grant(io: AuthorisationIo, call: HostCall, tokens: HostTokens): Promise<Grant>;
}

/**
 * An app of ours that a platform hosts. Its page at the platform shows our site in a frame, and its signed calls say for
 * which customer's site and which person.
 */
export interface HostApp {
  base: string;
  /** Checks the app's environment variables. */
  configSchema: z.ZodObject;
  /** Reads the app's settings; null without them, and its paths then do not exist. @throws ZodError for malformed ones */
  open(env: object): Host | null;
}

/** A call that does not come from the host, or not for us. The message is for the log. */
export class HostCallError extends Error {
  override name = "HostCallError";
}

/** True when a source of a Content-Security-Policy covers the origin. `*` stands for one or more first labels. */
export function coversOrigin(source: string, origin: string): boolean {
  const [scheme = "", host = ""] = source.split("://");
  if (!host.startsWith("*.")) return source === origin;
  const start = `${scheme}://`;
  const end = host.slice(1);
  const label = origin.slice(start.length, -end.length);
  return origin.startsWith(start) && origin.endsWith(end) && /^[a-z0-9-]+(?:\.[a-z0-9-]+)*$/i.test(label);
}
