import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { findMember, readFrame } from "#core/accounts/index.ts";
import { randomBytes, toBase64Url } from "#core/kernel/crypto.ts";
import { logger } from "#core/kernel/logger.ts";
import { accountHub } from "#durable-objects/stubs.ts";
import { buildServices, type ControlSession, inFrame, ledgersFor, openControl } from "#workers/services.ts";
import type { ApiEnv } from "../api-env.ts";

/**
 * Sets the services, request id, nonce and member of every request. A page finds its own member (`workers/draw-page.ts`).
 * After a request that may have written, the hub gets a new revision before the response is sent, so that the person's
 * next page shows the change.
 *
 * @param isDoor - Says whether one of our routes answers the path; all other paths are pages.
 */
export function requestContext(isDoor: (path: string) => boolean) {
  return createMiddleware<ApiEnv>(async (c, next) => {
    const callerIp = c.req.header("CF-Connecting-IP") ?? null;
    const built = { ...buildServices(c.env), callerIp };
    const frame = await readFrame(built, c.req.raw.headers);
    const services = frame ? inFrame(built, frame) : built;
    c.set("services", services);
    c.set("requestId", toBase64Url(randomBytes(12)));
    c.set("nonce", toBase64Url(randomBytes(16)));
    c.set("member", null);
    c.set("sessionId", null);
    const isReading = c.req.method === "GET" || c.req.method === "HEAD";
    c.set("isWrite", !isReading);
    // Maintenance mode queries no database.
    if (services.settings.MAINTENANCE === "on" || (isReading && !isDoor(c.req.path))) return next();
    const session = isReading ? null : openControl(c.env, "first-primary");
    if (session) c.set("services", { ...services, control: session.control });
    const signedIn = await findMember(c.var.services, c.req.raw.headers);
    if (signedIn) {
      c.set("member", signedIn.member);
      c.set("services", { ...c.var.services, ledger: ledgersFor(c.env, c.var.services, signedIn.member) });
      c.set("sessionId", signedIn.session.id);
    }
    await next();
    if (c.var.isWrite) await tellHub(c, session);
  });
}

/** A failure is only logged: leases and cached pages expire within a minute. */
async function tellHub(c: Context<ApiEnv>, session: ControlSession | null): Promise<void> {
  const { member } = c.var;
  if (!member) return;
  try {
    await accountHub(c.env, member.organisationId).changed(session?.bookmark() ?? null);
  } catch (cause) {
    logger("api").warn("The hub of {organisationId} got no new revision: {cause}", {
      organisationId: member.organisationId,
      cause: cause instanceof Error ? cause.message : String(cause),
    });
  }
}
