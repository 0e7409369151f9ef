import type { Board, Member, MemberType, Organization, Token, TrelloWorld } from "./state.ts";
import { organizationOf } from "./store.ts";

/** Who sends the request. */
export type Viewer = { member: Member; token: Token };

/** The result of reading credentials; `status` and `message` are Trello's plain text response. */
export type Identity = { kind: "viewer"; viewer: Viewer } | { kind: "refused"; status: 401; message: string };

/** Credentials as sent, and whether they were in the URL, which ends up in logs. */
export type Credentials = { key: string | null; token: string | null; isBearer: boolean; isInQuery: boolean };

/** Reads `OAuth oauth_consumer_key="…", oauth_token="…"`, `Bearer …`, or `key` and `token` from the query. */
export function readCredentials(header: string | undefined, query: URLSearchParams): Credentials {
  const bearer = /^bearer\s+(\S+)$/i.exec(header ?? "")?.[1];
  if (bearer !== undefined) return { key: null, token: bearer, isBearer: true, isInQuery: false };
  if (/^oauth\s/i.test(header ?? "")) {
    const part = (name: string) => new RegExp(`${name}="?([^",\\s]+)"?`).exec(header ?? "")?.[1] ?? null;
    return { key: part("oauth_consumer_key"), token: part("oauth_token"), isBearer: false, isInQuery: false };
  }
  const [key, token] = [query.get("key"), query.get("token")];
  return { key, token, isBearer: false, isInQuery: key !== null || token !== null };
}

/** Identifies the viewer. A revoked, expired or unknown token gives 401 `invalid token`. */
export function identify(world: TrelloWorld, { key, token, isBearer }: Credentials): Identity {
  const refused = (message: string): Identity => ({ kind: "refused", status: 401, message });
  if (!isBearer && key === null) {
    return refused(token === null ? "unauthorized permission requested" : "invalid key");
  }
  if (!isBearer && key !== world.settings.apiKey) return refused("invalid key");
  if (token === null) return refused("missing scopes");
  const known = world.state.tokens.find(({ value }) => value === token);
  const member = world.state.members.find(({ id }) => id === known?.idMember);
  const isRightKind = known?.kind === (isBearer ? "oauth2" : "legacy");
  const isOver = known !== undefined && known.expiresAt !== null && known.expiresAt <= Date.now();
  if (!known || !member || !isRightKind || known.isRevoked || isOver) return refused("invalid token");
  return { kind: "viewer", viewer: { member, token: known } };
}

/** Whether the token's scopes allow a request, by method and path below `/1`. */
export function isInScope(token: Token, method: string, path: string): boolean {
  const isRead = method === "GET" || method === "HEAD";
  // Every token may revoke itself.
  if (path.startsWith("/tokens/")) return true;
  if (token.kind === "legacy") return token.scopes.includes(isRead ? "read" : "write");
  return token.scopes.includes(scopeFor(isRead ? "read" : "write", path));
}

function scopeFor(verb: "read" | "write", path: string): string {
  if (verb === "write" && /^\/boards\/[^/]+\/(members|memberships)(\/|$)/.test(path)) {
    return "write:board:membership:trello";
  }
  if (/^\/members\/[^/]+\/organizations(\/|$)/.test(path)) return `${verb}:organization:trello`;
  if (/^\/members\/[^/]+\/boards(\/|$)/.test(path)) return `${verb}:board:trello`;
  if (path.startsWith("/members")) return `${verb}:member:trello`;
  if (path.startsWith("/organizations")) return `${verb}:organization:trello`;
  return `${verb}:board:trello`;
}

/** A member's role on a board; `reader` = sees it because it is visible to the workspace or public. */
export type BoardRole = MemberType | "reader" | "none";

/** The member's role on a board. */
export function roleOn(world: TrelloWorld, member: Member, board: Board): BoardRole {
  const own = board.memberships.find(
    ({ idMember, isDeactivated }) => idMember === member.id && !isDeactivated,
  );
  if (own) return own.memberType;
  const organization = organizationOf(world, board);
  const inOrganization = organization === null ? null : roleIn(member, organization);
  if (inOrganization === "admin") return "admin";
  if (inOrganization !== null && board.prefs.permissionLevel === "org") return "reader";
  return board.prefs.permissionLevel === "public" ? "reader" : "none";
}

/** The member's role in a workspace, or null. */
export function roleIn(member: Member, organization: Organization): MemberType | null {
  const own = organization.memberships.find(({ idMember }) => idMember === member.id);
  return own && !own.isDeactivated ? own.memberType : null;
}

/** Whether a role may change the board's content. */
export function mayWrite(role: BoardRole): boolean {
  return role === "admin" || role === "normal";
}
