import type { Call, Ids } from "./security-world.ts";

/** Who may make a call. Each word of this table is the product's promise; the tests hold every route against it. */
export type May =
  /** With or without a session. */
  | "everyone"
  /** Everybody who is signed in. */
  | "members"
  /** Members with any role on the platform. */
  | "users"
  /** The owner, and members with the role admin on the platform. */
  | "managers"
  | "owner";

/** What one route promises. */
export type Line = {
  may: May;
  /** Statuses for who may, with things of their own. */
  ok: number | readonly number[];
  /** What the call names; each of these is tried with a foreign and with a missing id. */
  ids?: readonly (keyof Ids)[];
  /**
   * The status of such a try for who may make the call. Where a call serves many ids at once it leaves out what it
   * does not know and answers 200.
   */
  foreign?: number;
  /** Fields that look like ids and name nothing of an organisation, e.g. ids of a platform. */
  notOurs?: readonly string[];
  /** The call with these ids; without it the bare route. */
  send?: (ids: Ids) => Partial<Pick<Call, "query" | "body" | "path" | "headers">>;
  /** True for a door whose right is no role: it has a test of its own. */
  isTriedApart?: true;
};
