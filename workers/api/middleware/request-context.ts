import { createMiddleware } from "hono/factory";
import { findMember } from "#core/accounts/index.ts";
import { randomBytes, toBase64Url } from "#core/kernel/crypto.ts";
import { buildServices } from "#workers/services.ts";
import type { ApiEnv } from "../api-env.ts";

/** Sets the services, request id, nonce and member of every request. */
export const requestContext = createMiddleware<ApiEnv>(async (c, next) => {
  const services = buildServices(c.env);
  c.set("services", services);
  c.set("requestId", toBase64Url(randomBytes(12)));
  c.set("nonce", toBase64Url(randomBytes(16)));
  c.set("member", null);
  c.set("sessionId", null);
  // Maintenance mode queries no database.
  if (services.settings.MAINTENANCE === "on") return next();
  const signedIn = await findMember(services, c.req.raw.headers);
  if (signedIn) {
    c.set("member", signedIn.member);
    c.set("sessionId", signedIn.session.id);
  }
  await next();
});
