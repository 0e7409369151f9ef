import { Hono } from "hono";
import { findMember } from "#core/accounts/index.ts";
import { AppError } from "#core/kernel/app-error.ts";
import type { Member } from "#core/organisations/member.ts";
import { formatSocketOwner, SOCKET_HEADER, type SocketOwner } from "#durable-objects/live-socket.ts";
import { accountHub, type ObjectBindings } from "#durable-objects/stubs.ts";
import type { Services } from "#workers/services.ts";

/** The context of the live route. The session middleware sets the variables. */
export type LiveDoorEnv = {
  Bindings: ObjectBindings;
  Variables: {
    services: Pick<Services, "settings" | "control" | "clock" | "live">;
    member?: Member | null;
    sessionId?: string | null;
  };
};

/**
 * GET /ws?sub=… — opens the live connection (spec part 2, section 3).
 *
 * `sub` is only the spec's routing hint; the user and the organisation's hub come from the session. The Origin check
 * prevents another site from opening a socket with the visitor's cookie. The request to the hub is built from scratch,
 * so a client's header cannot pass as ours. Rights are checked again after the socket opened: a revocation in between
 * would have found no socket to close.
 */
export const live = new Hono<LiveDoorEnv>().get("/", async (c) => {
  const { member } = c.var;
  if (!member) throw new AppError("err.session.missing");
  const origin = c.req.header("origin");
  if (origin !== undefined && origin !== new URL(c.var.services.settings.PUBLIC_URL).origin) {
    throw new AppError("err.request.origin");
  }
  if (c.req.query("sub") !== member.userId) {
    throw new AppError("err.role.forbidden", {
      message: "This live connection belongs to another person. Please reload the page.",
    });
  }
  if (c.req.header("upgrade")?.toLowerCase() !== "websocket") {
    throw new AppError("err.request.invalid", { message: "This address only speaks websocket." });
  }
  const owner: SocketOwner = {
    userId: member.userId,
    // Without a session id, the socket is still closed when the user's rights are revoked.
    sessionId: c.var.sessionId ?? `of:${member.userId}`,
    platforms: member.role === "owner" ? "all" : Object.keys(member.platformRoles),
  };
  const answer = await accountHub(c.env, member.organisationId).fetch("https://account-hub/ws", {
    headers: { upgrade: "websocket", [SOCKET_HEADER]: formatSocketOwner(owner) },
  });
  const { services } = c.var;
  const still = await findMember(services, c.req.raw.headers);
  if (!hasSameRights(still?.member, member)) {
    const { userId, organisationId } = member;
    await services.live.disconnect(organisationId, { userId, mayReturn: still !== null });
  }
  return answer;
});

function hasSameRights(now: Member | undefined, before: Member): boolean {
  const rights = ({ organisationId, role, platformRoles }: Member) =>
    JSON.stringify([organisationId, role, Object.entries(platformRoles).sort()]);
  return now !== undefined && rights(now) === rights(before);
}
