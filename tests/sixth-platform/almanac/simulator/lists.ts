import type { Context } from "hono";
import { Refused } from "./refused.ts";

const MOST = 50;

/** A page of a list in the order of ids. A cursor names the last id before it, so nothing is told twice or left out. */
export function listOf<T extends { id: string }>(
  c: Context,
  all: readonly T[],
  shown: (member: T) => object = (member) => member,
): { items: object[]; next: string | null } {
  const limit = Number(c.req.query("limit") ?? MOST);
  if (!Number.isInteger(limit) || limit < 1 || limit > MOST) throw new Refused(400, "The limit is wrong.");
  const after = readCursor(c.req.query("cursor"));
  const rest = all.filter(({ id }) => id > after).sort((one, other) => (one.id < other.id ? -1 : 1));
  const items = rest.slice(0, limit);
  const last = rest.length > limit ? items.at(-1) : undefined;
  const next = last === undefined ? null : Buffer.from(`after ${last.id}`).toString("base64url");
  return { items: items.map(shown), next };
}

function readCursor(cursor: string | undefined): string {
  if (cursor === undefined) return "";
  const id = /^after ([a-z0-9]+)$/.exec(Buffer.from(cursor, "base64url").toString())?.[1];
  if (id === undefined) throw new Refused(400, "The cursor is wrong.");
  return id;
}
