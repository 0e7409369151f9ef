import { z } from "zod";
import { isShard, type Shard } from "#core/database/shards.ts";
import { REGIONS } from "#core/kernel/platform-id.ts";
import { storedJson } from "#core/kernel/stored-json.ts";

const memberSchema = z.strictObject({
  userId: z.string(),
  organisationId: z.string(),
  name: z.string(),
  email: z.string(),
  role: z.enum(["owner", "member"]),
  platformRoles: z.record(z.string(), z.enum(["admin", "user"])),
  timeZone: z.string(),
  shards: z.partialRecord(z.enum(REGIONS), z.custom<Shard>(isShard)).nullable(),
});

/** A connection without its tokens, which never leave the control database. */
const connectionSchema = z.strictObject({
  id: z.string(),
  organisationId: z.string(),
  platform: z.string(),
  region: z.enum(REGIONS),
  externalId: z.string(),
  name: z.string(),
  accountType: z.string(),
  status: z.enum(["active", "revoked"]),
  details: z.unknown(),
  isAutoAdd: z.boolean(),
  isConfirmed: z.boolean(),
  grantName: z.string().nullable(),
  credentials: z.array(z.object({ authMethod: z.string(), status: z.enum(["active", "revoked"]) })),
  lostReason: z.enum(["token", "app"]).nullable(),
  seats: z.number().nullable(),
  seatsReadAt: z.number().nullable(),
  seatsProblem: z.string().nullable(),
  peopleProblem: z.string().nullable(),
  createdAt: z.number(),
});

const subscriptionSchema = z.strictObject({
  platform: z.string(),
  plan: z.enum(["trial", "essential", "pro"]),
  quantity: z.number(),
  endsAt: z.number().nullable(),
});

/**
 * An entry as the organisation's hub keeps it. Two releases may use one hub, so it is stored JSON: raise the version with
 * every change.
 */
export const entryForm = storedJson(
  4,
  z.strictObject({
    member: memberSchema,
    person: z.strictObject({ name: z.string(), familyName: z.string() }),
    image: z.string().nullable(),
    session: z.strictObject({ id: z.string(), expiresAt: z.number(), lastActiveAt: z.number() }),
    connections: z.array(connectionSchema),
    subscriptions: z.array(subscriptionSchema),
  }),
);
