import type { JiraWorld, Site } from "./state.ts";
import { findPerson } from "./store.ts";
import type { Viewer } from "./viewer.ts";

/** The result of reading credentials. */
export type Identity =
  | { kind: "viewer"; viewer: Viewer }
  | { kind: "refused"; status: 401 | 403 | 404; body: object };

/** Where a request came in: at the gateway for all sites, or at the site's own address. */
export type Door = "gateway" | "site";

const UNAUTHORIZED: Identity = { kind: "refused", status: 401, body: { code: 401, message: "Unauthorized" } };

/** Identifies who asks a site, by a bearer token (gateway only) or by `Basic email:token`. */
export function identify(world: JiraWorld, site: Site, door: Door, header: string | undefined): Identity {
  const bearer = /^bearer\s+(\S+)$/i.exec(header ?? "")?.[1];
  if (bearer !== undefined) return byToken(world, site, door, bearer);
  const basic = /^basic\s+(\S+)$/i.exec(header ?? "")?.[1];
  if (basic !== undefined) return byApiToken(world, site, door, Buffer.from(basic, "base64").toString());
  return UNAUTHORIZED;
}

function byToken(world: JiraWorld, site: Site, door: Door, value: string): Identity {
  // Tokens of OAuth are not known at the site's own address.
  if (door === "site") return refusedBySite();
  const token = world.state.tokens.find((known) => known.value === value);
  const isOver = token !== undefined && (token.expiresAt ?? 0) <= Date.now();
  if (!token || token.isRevoked || isOver) return UNAUTHORIZED;
  const isGranted = token.cloudIds.includes(site.cloudId);
  // A site that the person did not choose is as good as missing.
  if (!isGranted) return { kind: "refused", status: 404, body: { code: 404, message: "Not Found" } };
  return viewerOf(world, site, token.accountId, { via: "app", scopes: token.scopes, token, door });
}

function byApiToken(world: JiraWorld, site: Site, door: Door, pair: string): Identity {
  const at = pair.indexOf(":");
  const [email, value] = [pair.slice(0, at), pair.slice(at + 1)];
  const person = findPerson(world, email);
  const token = world.state.apiTokens.find((known) => known.value === value);
  const isOver = token?.expiresAt !== null && (token?.expiresAt ?? 0) <= Date.now();
  if (!token || token.accountId !== person?.accountId || token.isRevoked || isOver) {
    return door === "site" ? refusedBySite() : UNAUTHORIZED;
  }
  // A token with scopes works at the gateway only, one without at the site only.
  if ((token.scopes === null) !== (door === "site")) return door === "site" ? refusedBySite() : UNAUTHORIZED;
  return viewerOf(world, site, token.accountId, { via: "token", scopes: token.scopes, token: null, door });
}

function viewerOf(
  world: JiraWorld,
  site: Site,
  accountId: string,
  { door, ...rest }: Pick<Viewer, "via" | "scopes" | "token"> & { door: Door },
): Identity {
  const person = findPerson(world, accountId);
  const member = site.members.find((known) => known.accountId === accountId);
  if (!person?.isActive || !member) return door === "site" ? refusedBySite() : UNAUTHORIZED;
  const base =
    door === "gateway" ? `${world.url}/ex/jira/${site.cloudId}` : `${world.url}/sites/${site.slug}`;
  return { kind: "viewer", viewer: { world, site, person, member, base, ...rest } };
}

function refusedBySite(): Identity {
  const errorMessages = ["Client must be authenticated to access this resource."];
  return { kind: "refused", status: 401, body: { errorMessages, errors: {} } };
}

/** Whether the viewer's scopes allow an operation. */
export function isInScope({ scopes }: Viewer, needed: readonly string[]): boolean {
  return scopes === null || needed.every((scope) => scopes.includes(scope));
}
