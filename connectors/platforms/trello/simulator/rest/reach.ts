import type { Context } from "hono";
import { mayWrite, roleIn, roleOn, type Viewer } from "../access.ts";
import { isId } from "../ids.ts";
import { forbidden, missing, Refused } from "../refused.ts";
import type { Board, Found, Member, Organization, TrelloWorld } from "../state.ts";
import { find, findMember, findOrganization } from "../store.ts";

/** What the middleware passes to the routes. */
export type RestEnv = { Variables: { viewer: Viewer } };
/** A route's context. */
export type RestContext = Context<RestEnv>;

/** The access that a request needs to a thing. */
export type Need = "read" | "write" | "administer";

/**
 * Finds the thing of a path for this viewer.
 * @throws Refused 400 for an invalid id, 404 when it is missing, 401 when the viewer may not see or change it
 */
export function reach<K extends Found["kind"]>(
  c: RestContext,
  world: TrelloWorld,
  kind: K,
  key: string | undefined,
  need: Need = c.req.method === "GET" ? "read" : "write",
): Extract<Found, { kind: K }> {
  const wanted = key ?? "";
  const mayBeShort = kind === "board" || kind === "card";
  if (!isId(wanted) && !(mayBeShort && /^[A-Za-z0-9]{8}$/.test(wanted))) throw new Refused(400, "invalid id");
  const found = find(world, kind, wanted);
  if (!found) throw missing();
  requireRole(c, world, found.board, need);
  return found;
}

/** Finds the thing of a parameter. A missing thing is an invalid value. */
export function reachNamed<K extends Found["kind"]>(
  c: RestContext,
  world: TrelloWorld,
  kind: K,
  named: { id: string; parameter: string },
): Extract<Found, { kind: K }> {
  const found = find(world, kind, named.id);
  if (!found) throw new Refused(400, `invalid value for ${named.parameter}`);
  requireRole(c, world, found.board, "write");
  return found;
}

/** Refuses a viewer whose role on the board is insufficient. */
export function requireRole(c: RestContext, world: TrelloWorld, board: Board, need: Need): void {
  const role = roleOn(world, viewerOf(c), board);
  if (role === "none") throw forbidden();
  if (need === "write" && !mayWrite(role)) throw forbidden();
  if (need === "administer" && role !== "admin") throw forbidden();
}

/** Finds a workspace of the viewer. */
export function reachOrganization(c: RestContext, world: TrelloWorld, key: string | undefined): Organization {
  const organization = findOrganization(world, key ?? "");
  if (!organization) throw missing();
  if (roleIn(viewerOf(c), organization) === null) throw forbidden();
  return organization;
}

/** Finds a member; `me` is the viewer. */
export function reachMember(c: RestContext, world: TrelloWorld, key: string | undefined): Member {
  if (key === "me") return viewerOf(c);
  const member = findMember(world, key ?? "");
  if (!member) throw new Refused(404, "model not found");
  return member;
}

/** The member who sends the request. */
export function viewerOf(c: RestContext): Member {
  return c.get("viewer").member;
}
