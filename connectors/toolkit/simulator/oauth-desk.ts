import { createHash, randomBytes } from "node:crypto";
import type { RequestLog } from "./request-log.ts";

/** The state of a simulated OAuth server; plain JSON. */
export type OauthState = { codes: OauthCode[]; grants: OauthGrant[]; accesses: OauthAccess[] };

type OauthCode = {
  code: string;
  personId: string;
  redirectUri: string;
  codeChallenge: string | null;
  scopes: string[];
  isOffline: boolean;
  /** Epoch milliseconds. */
  expiresAt: number;
};

/** A person's grant; revoking it invalidates all its tokens. */
export type OauthGrant = {
  id: string;
  personId: string;
  scopes: string[];
  /** Null without offline access. Stays valid and unchanged until the grant is revoked. */
  refreshToken: string | null;
  isRevoked: boolean;
};

/** One access token. */
export type OauthAccess = { value: string; grantId: string; expiresAt: number };

/** The current meaning of an access token. */
export type OauthIdentity =
  | { kind: "live"; grant: OauthGrant }
  | { kind: "expired" }
  | { kind: "revoked" }
  | { kind: "unknown" };

/** The application registered with a simulated server. */
export type OauthApplication = {
  clientId: string;
  clientSecret: string;
  callbacks: readonly string[];
  /** Lifetime of an access token in milliseconds. */
  tokenLifetimeMs: number;
};

/** Codes expire after ten minutes. */
const CODE_LIFETIME_MS = 600_000;

/** A state without grants. */
export function emptyOauthState(): OauthState {
  return { codes: [], grants: [], accesses: [] };
}

/** The logic of an OAuth server with permanent refresh tokens (RFC 6749, PKCE by RFC 7636), without pages. */
export type OauthDesk = ReturnType<typeof createOauthDesk>;

/** Opens the desk of a simulated site. The prefixes make its tokens look like the site's. */
export function createOauthDesk(world: {
  state: OauthState;
  application: OauthApplication;
  prefixes: { code: string; access: string; refresh: string };
  save(): void;
}) {
  const { state, application, prefixes, save } = world;
  const secret = (prefix: string, bytes: number) => prefix + randomBytes(bytes).toString("base64url");

  function issueAccess(grant: OauthGrant): OauthAccess {
    const expiresAt = Date.now() + application.tokenLifetimeMs;
    const access = { value: secret(prefixes.access, 48), grantId: grant.id, expiresAt };
    state.accesses.push(access);
    save();
    return access;
  }

  /** Grants access without a consent page, for tests and the demo. */
  function allow(order: Pick<OauthGrant, "personId" | "scopes"> & { isOffline: boolean }): OauthGrant {
    const { personId, scopes, isOffline } = order;
    const refreshToken = isOffline ? secret(prefixes.refresh, 48) : null;
    const grant = { id: randomBytes(8).toString("hex"), personId, scopes, refreshToken, isRevoked: false };
    state.grants.push(grant);
    save();
    return grant;
  }

  return {
    allow,
    issueAccess,

    /** Whether the redirect URI is registered. Accepts any port and path on a loopback address, for tests. */
    isRegistered: (redirectUri: string) => isRegistered(application, redirectUri),

    /** Issues an authorization code. */
    issueCode(order: Omit<OauthCode, "code" | "expiresAt">): string {
      const code = secret(prefixes.code, 24);
      state.codes.push({ ...order, code, expiresAt: Date.now() + CODE_LIFETIME_MS });
      save();
      return code;
    },

    /** Exchanges a code once; null = it is not accepted. */
    redeem(parameters: Record<string, string>): OauthGrant | null {
      const code = state.codes.find((known) => known.code === parameters.code);
      if (code === undefined || !isRedeemable(code, parameters)) return null;
      state.codes = state.codes.filter((known) => known !== code);
      return allow(code);
    },

    /** Finds the grant of a refresh token; null = none, or it is revoked. */
    findRenewable(refreshToken: string | undefined): OauthGrant | null {
      if (refreshToken === undefined) return null;
      return state.grants.find((known) => known.refreshToken === refreshToken && !known.isRevoked) ?? null;
    },

    identify: (value: string) => identify(state, value),

    /** Revokes the grant of an access or refresh token. Returns false for an unknown token. */
    revoke(value: string): boolean {
      const grantId = state.accesses.find((known) => known.value === value)?.grantId;
      const grant = state.grants.find((known) => known.id === grantId || known.refreshToken === value);
      if (grant === undefined || grant.isRevoked) return false;
      grant.isRevoked = true;
      save();
      return true;
    },

    /** Revokes or expires every grant, or those of one person, as site settings or time would. */
    endGrants(how: "revoke" | "expire", personId: string | undefined): void {
      endGrants(state, how, personId);
      save();
    },

    /** Whether the client credentials are right. The secret is required, because the application runs on a server. */
    isClient: (parameters: Record<string, string>) =>
      parameters.client_id === application.clientId && parameters.client_secret === application.clientSecret,
  };
}

/** Whether a redirect URL is registered. A registered loopback URL allows any loopback port and path. */
export function isRegistered(
  { callbacks }: Pick<OauthApplication, "callbacks">,
  redirectUri: string,
): boolean {
  if (!URL.canParse(redirectUri)) return false;
  const url = new URL(redirectUri);
  const isLoopback = (host: string) => ["localhost", "127.0.0.1", "[::1]"].includes(host);
  return callbacks.some((callback) => {
    const known = new URL(callback);
    return isLoopback(known.hostname) ? isLoopback(url.hostname) : known.href === url.href;
  });
}

/** The S256 challenge of a verifier (RFC 7636). */
export const challengeOf = (verifier: string) => createHash("sha256").update(verifier).digest("base64url");

function isRedeemable(code: OauthCode, parameters: Record<string, string>): boolean {
  return (
    code.expiresAt > Date.now() &&
    code.redirectUri === parameters.redirect_uri &&
    (code.codeChallenge === null || code.codeChallenge === challengeOf(parameters.code_verifier ?? ""))
  );
}

function identify(state: OauthState, value: string): OauthIdentity {
  const access = state.accesses.find((known) => known.value === value);
  const grant = state.grants.find((known) => known.id === access?.grantId);
  if (access === undefined || grant === undefined) return { kind: "unknown" };
  if (grant.isRevoked) return { kind: "revoked" };
  return access.expiresAt <= Date.now() ? { kind: "expired" } : { kind: "live", grant };
}

function endGrants(state: OauthState, how: "revoke" | "expire", personId: string | undefined): void {
  for (const grant of state.grants) {
    if (personId !== undefined && grant.personId !== personId) continue;
    if (how === "revoke") grant.isRevoked = true;
    for (const access of state.accesses) if (access.grantId === grant.id) access.expiresAt = 0;
  }
}

/** A token request's form, with client credentials from Basic authentication or the form (RFC 6749 section 2.3.1). */
export async function readTokenRequest(request: Request): Promise<Record<string, string>> {
  const form = Object.fromEntries(new URLSearchParams(await request.text()));
  const basic = /^basic\s+(.+)$/i.exec(request.headers.get("authorization") ?? "")?.[1];
  if (basic === undefined) return form;
  const [id = "", secret = ""] = Buffer.from(basic, "base64").toString().split(":", 2);
  return { ...form, client_id: decodeURIComponent(id), client_secret: decodeURIComponent(secret) };
}

/** The parameters of a request that may be JSON, as Atlassian documents them, or a form. */
export async function readParameters(request: Request): Promise<Record<string, string>> {
  const text = await request.text();
  if (request.headers.get("content-type")?.includes("json") !== true)
    return Object.fromEntries(new URLSearchParams(text));
  return JSON.parse(text || "{}") as Record<string, string>;
}

/** The redirect URL with the outcome; what is empty is left out. */
export function sendBack(redirectUri: string, outcome: Record<string, string | undefined>): string {
  const target = new URL(redirectUri);
  for (const [name, value] of Object.entries(outcome)) {
    if (value) target.searchParams.set(name, value);
  }
  return target.href;
}

/** A parsed consent request, or the reason why it is invalid. */
export type ConsentRequest =
  | { kind: "right"; redirectUri: string; codeChallenge: string | null; scopes: string[]; isOffline: boolean }
  | { kind: "wrong"; message: string };

/** Creates refusals of a consent page, which shows the error itself and does not redirect. */
export function wrongConsent(
  { refuse }: { refuse: RequestLog["refuse"] },
  path: string,
): (message: string) => ConsentRequest {
  return (message) => {
    refuse({ kind: "refused", method: "GET", path, status: 400, reason: message });
    return { kind: "wrong", message };
  };
}
