import type { Shards } from "#core/database/shards.ts";

/**
 * The member who makes the request. Taken only from the session, never from the request (decision: tenant isolation).
 */
export type Member = {
  userId: string;
  organisationId: string;
  name: string;
  email: string;
  role: "owner" | "member";
  platformRoles: Readonly<Record<string, "admin" | "user">>;
  timeZone: string;
  /** The ledgers of the organisation, where they are not the first of their regions. Absent = not read. */
  shards?: Shards | null;
};
