import { env } from "cloudflare:workers";
import { type IdentityProviders, openIdentityProviders } from "#tests/harness/outside.ts";
import { type Choice, walkSignIn } from "#tests/simulators/oidc/walk-sign-in.ts";
import { createApi } from "#workers/api/create-api.ts";
import { operations } from "#workers/api/operations.ts";
import { heldLimits } from "./held-limits.ts";

/** The product's public address in tests. */
export const APP = "https://app.example.test";

/** The product's sign-in routes, connected to identity providers that belong to this test file. */
export type FederationWorld = {
  providers: IdentityProviders;
  /** A browser without cookies. `vars` are additional settings. */
  browser: (vars?: Record<string, string>) => Browser;
};

/** A browser that keeps cookies and does not follow redirects. */
export type Browser = {
  cookies: Map<string, string>;
  headers: () => Headers;
  open: (path: string) => Promise<{ status: number; location: string; setCookie: string[] }>;
  /** Starts a sign-in and completes the provider's pages. Returns the address that the provider redirects to. */
  comeBack: (start: string, choice: Choice) => Promise<URL>;
  /** The whole sign-in. Returns the final address. */
  signIn: (start: string, choice: Choice) => Promise<string>;
};

/** Opens identity providers for one test file. */
export async function openFederationWorld(): Promise<FederationWorld> {
  const providers = await openIdentityProviders(`${APP}/identity/federation/callback`);
  const api = createApi({ core: operations, platforms: [] });
  return {
    providers,
    browser: (vars = {}) =>
      browserOf((request) =>
        heldLimits.invocation(async () => api.fetch(request, { ...env, ...providers.vars, ...vars })),
      ),
  };
}

function browserOf(fetchFromProduct: (request: Request) => Response | Promise<Response>): Browser {
  const cookies = new Map<string, string>();
  const headers = () =>
    new Headers({ Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") });
  const open: Browser["open"] = async (path) => {
    const request = new Request(new URL(path, APP), { headers: headers(), redirect: "manual" });
    const answer = await fetchFromProduct(request);
    await answer.arrayBuffer();
    const setCookie = answer.headers.getSetCookie();
    for (const line of setCookie) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === "") cookies.delete(name);
      else cookies.set(name, value);
    }
    return { status: answer.status, location: answer.headers.get("Location") ?? "", setCookie };
  };
  const comeBack: Browser["comeBack"] = async (start, choice) => {
    const { location } = await open(start);
    if (!location.startsWith("http")) throw new Error(`The sign-in did not begin: ${location}`);
    return walkSignIn(location, choice);
  };
  return {
    cookies,
    headers,
    open,
    comeBack,
    signIn: async (start, choice) => (await open((await comeBack(start, choice)).href)).location,
  };
}

/** The addresses that start a sign-in. */
export const START = {
  google: "/identity/federation/start?provider=google",
  enterprise: "/identity/federation/start?provider=enterprise&domain=meridian.example",
  okta: "/identity/federation/start?provider=okta",
};

/** An unused e-mail address. */
export const freshEmail = (domain: string) => `p${crypto.randomUUID().slice(0, 12)}@${domain}`;

/** Row counts of everything that a sign-in could leave behind. */
export async function countTraces(): Promise<Record<string, number>> {
  const tables = ["user", "account", "session", "organisation", "member", "sign_in_challenge", "audit_entry"];
  const counts = await env.DB.batch<{ n: number }>(
    tables.map((table) => env.DB.prepare(`select count(*) as n from ${table}`)),
  );
  return Object.fromEntries(tables.map((table, i) => [table, counts[i]?.results[0]?.n ?? -1]));
}
