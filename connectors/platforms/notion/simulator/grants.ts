import { randomBytes } from "node:crypto";
import { newId } from "./ids.ts";
import type { Capability, ConsentCode, Grant, NotionWorld } from "./state.ts";
import { now } from "./store.ts";

/** A code works for ten minutes, as at other sites. Unproven. */
const CODE_LIFETIME_MS = 600_000;

/**
 * Grants a person's choice of pages to the connection. The bot of a person and workspace stays the same, each
 * authorisation has a token of its own [changelog], and the latest choice of pages is that of the bot. That the bot
 * stays and the earlier tokens go on working is unproven.
 * @param order `isApart` makes another bot, which reaches nothing but the given pages
 */
export function grantAccess(
  world: NotionWorld,
  order: {
    personId: string;
    workspaceId: string;
    rootIds: readonly string[];
    capabilities?: readonly Capability[];
    isApart?: boolean;
  },
): Grant {
  const { personId, workspaceId, capabilities = world.settings.capabilities, isApart = false } = order;
  const own = world.state.grants.filter(
    (known) => known.personId === personId && known.workspaceId === workspaceId && !known.isApart,
  );
  const grant: Grant = {
    ...{ botId: (isApart ? undefined : own[0]?.botId) ?? newId(world.state), workspaceId, personId, isApart },
    ...{ rootIds: [...order.rootIds], capabilities: [...capabilities], isRevoked: false },
    ...{ token: secret("ntn_"), refreshToken: secret("nrt_"), createdAt: now(world) },
  };
  if (!isApart) for (const earlier of own) earlier.rootIds = [...order.rootIds];
  world.state.grants.push(grant);
  world.save();
  return grant;
}

/** Issues a code for a grant that waits for it. */
export function issueCode(world: NotionWorld, order: Omit<ConsentCode, "code" | "expiresAt">): string {
  const code = secret("ncd_");
  world.state.codes.push({ code, ...order, expiresAt: now(world) + CODE_LIFETIME_MS });
  world.save();
  return code;
}

/** Exchanges a code once; null = it is unknown, too old, or was given for another address. */
export function redeemCode(world: NotionWorld, code: string, redirectUri: string | undefined): Grant | null {
  const known = world.state.codes.find((each) => each.code === code);
  world.state.codes = world.state.codes.filter((each) => each !== known);
  if (!known || known.expiresAt < now(world) || known.redirectUri !== redirectUri) return null;
  return grantAccess(world, known);
}

/** Gives a grant new tokens; the old ones no longer work. null = the refresh token is unknown or was used. */
export function refreshGrant(world: NotionWorld, refreshToken: string): Grant | null {
  const grant = world.state.grants.find((known) => known.refreshToken === refreshToken && !known.isRevoked);
  if (grant === undefined) return null;
  Object.assign(grant, { token: secret("ntn_"), refreshToken: secret("nrt_") });
  world.save();
  return grant;
}

/** The live grant of an access or refresh token. */
export function findGrant(world: NotionWorld, token: string | undefined): Grant | null {
  if (token === undefined) return null;
  const isOf = (known: Grant) => known.token === token || known.refreshToken === token;
  return world.state.grants.find((known) => isOf(known) && !known.isRevoked) ?? null;
}

const secret = (prefix: string) => prefix + randomBytes(30).toString("base64url");
