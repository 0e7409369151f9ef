import { createHash, randomBytes } from "node:crypto";

/** What a simulated OAuth server remembers; plain JSON. */
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

/** What a person has allowed; everything that was issued for it ends with it. */
export type OauthGrant = {
  id: string;
  personId: string;
  scopes: string[];
  /** Absent without offline access. It works until the grant is revoked, and does not change when it is used. */
  refreshToken: string | null;
  isRevoked: boolean;
};

/** One access token. */
export type OauthAccess = { value: string; grantId: string; expiresAt: number };

/** What an access token stands for at this moment. */
export type OauthIdentity =
  | { kind: "live"; grant: OauthGrant }
  | { kind: "expired" }
  | { kind: "revoked" }
  | { kind: "unknown" };

/** The application that a simulated server knows. */
export type OauthApplication = {
  clientId: string;
  clientSecret: string;
  callbacks: readonly string[];
  /** Life of an access token in milliseconds. */
  tokenLifetimeMs: number;
};

/** Codes can be traded in for ten minutes. */
const CODE_LIFETIME_MS = 600_000;

/** A state without any grant. */
export function emptyOauthState(): OauthState {
  return { codes: [], grants: [], accesses: [] };
}

/** The bookkeeping of an OAuth server with lasting refresh tokens (RFC 6749, PKCE by RFC 7636); pages are the site's own. */
export type OauthDesk = ReturnType<typeof createOauthDesk>;

/** Opens the desk of a simulated site. The prefixes make its tokens look like those of the site. */
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

  /** Grants without a person's consent, as tests and the demo need it. */
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

    /** The address must be a registered one; on a loopback address any port and path is, for tests run anywhere. */
    isRegistered(redirectUri: string): boolean {
      if (!URL.canParse(redirectUri)) return false;
      const url = new URL(redirectUri);
      const isLoopback = (host: string) => ["localhost", "127.0.0.1", "[::1]"].includes(host);
      return application.callbacks.some((callback) => {
        const known = new URL(callback);
        return isLoopback(known.hostname) ? isLoopback(url.hostname) : known.href === url.href;
      });
    },

    /** The code that travels back with the person. */
    issueCode(order: Omit<OauthCode, "code" | "expiresAt">): string {
      const code = secret(prefixes.code, 24);
      state.codes.push({ ...order, code, expiresAt: Date.now() + CODE_LIFETIME_MS });
      save();
      return code;
    },

    /** Trades a code in, once. Null when it is not accepted. */
    redeem(parameters: Record<string, string>): OauthGrant | null {
      const code = state.codes.find((known) => known.code === parameters.code);
      const challenge = createHash("sha256")
        .update(parameters.code_verifier ?? "")
        .digest("base64url");
      const isRight =
        code !== undefined &&
        code.expiresAt > Date.now() &&
        code.redirectUri === parameters.redirect_uri &&
        (code.codeChallenge === null || code.codeChallenge === challenge);
      if (!isRight) return null;
      state.codes = state.codes.filter((known) => known !== code);
      return allow(code);
    },

    /** The grant that a refresh token belongs to, while it lives. */
    findRenewable(refreshToken: string | undefined): OauthGrant | null {
      if (refreshToken === undefined) return null;
      return state.grants.find((known) => known.refreshToken === refreshToken && !known.isRevoked) ?? null;
    },

    identify(value: string): OauthIdentity {
      const access = state.accesses.find((known) => known.value === value);
      const grant = state.grants.find((known) => known.id === access?.grantId);
      if (access === undefined || grant === undefined) return { kind: "unknown" };
      if (grant.isRevoked) return { kind: "revoked" };
      return access.expiresAt <= Date.now() ? { kind: "expired" } : { kind: "live", grant };
    },

    /** Ends the grant that an access or refresh token belongs to. False when there is none. */
    revoke(value: string): boolean {
      const grantId = state.accesses.find((known) => known.value === value)?.grantId;
      const grant = state.grants.find((known) => known.id === grantId || known.refreshToken === value);
      if (grant === undefined || grant.isRevoked) return false;
      grant.isRevoked = true;
      save();
      return true;
    },

    /** What a person does at the site's own settings, or time does: every grant, or those of one person. */
    endGrants(how: "revoke" | "expire", personId: string | undefined): void {
      for (const grant of state.grants) {
        if (personId !== undefined && grant.personId !== personId) continue;
        if (how === "revoke") grant.isRevoked = true;
        for (const access of state.accesses) if (access.grantId === grant.id) access.expiresAt = 0;
      }
      save();
    },

    /** Whether the application has proved itself; a secret is needed, for it is kept on a server. */
    isClient: (parameters: Record<string, string>) =>
      parameters.client_id === application.clientId && parameters.client_secret === application.clientSecret,
  };
}

/** Parameters of a token request: a form, with the client by Basic authentication or in it (RFC 6749 section 2.3.1). */
export async function readTokenRequest(request: Request): Promise<Record<string, string>> {
  const form = Object.fromEntries(new URLSearchParams(await request.text()));
  const basic = /^basic\s+(.+)$/i.exec(request.headers.get("authorization") ?? "")?.[1];
  if (basic === undefined) return form;
  const [id = "", secret = ""] = Buffer.from(basic, "base64").toString().split(":", 2);
  return { ...form, client_id: decodeURIComponent(id), client_secret: decodeURIComponent(secret) };
}

/** The address that a person is sent back to with the outcome. */
export function sendBack(redirectUri: string, outcome: Record<string, string | undefined>): string {
  const target = new URL(redirectUri);
  for (const [name, value] of Object.entries(outcome)) {
    if (value !== undefined) target.searchParams.set(name, value);
  }
  return target.href;
}
