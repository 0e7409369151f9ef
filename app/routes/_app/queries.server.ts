import type { AppLoadContext } from "@remix-run/cloudflare";
import { orFailure } from "#app/session/refusal.server.ts";
import { requireMember } from "#app/session/require-member.server.ts";
import { RAIL_COOKIE, type ShellView } from "#app/shell/shell-view.ts";
import { descriptors } from "#connectors/registry/descriptors.generated.ts";
import { listConnections } from "#core/inventory/index.ts";
import { canUse } from "#core/organisations/index.ts";

/** Who is signed in and which of their platforms are connected. */
export async function shellOf(context: AppLoadContext, request: Request): Promise<ShellView> {
  const member = requireMember(context, request);
  const { services } = context;
  const usable = descriptors.filter(({ id }) => canUse(member, id));
  const platforms = await orFailure(context, () =>
    Promise.all(
      usable.map(async ({ id, label }) => {
        const [connection] = await listConnections(services, member, { platform: id });
        return connection
          ? [{ id, label, accountName: connection.name, isRevoked: connection.status === "revoked" }]
          : [];
      }),
    ),
  );
  return {
    member: {
      userId: member.userId,
      name: member.name,
      email: member.email,
      timeZone: member.timeZone,
      isOwner: member.role === "owner",
    },
    platforms: platforms.flat(),
    now: services.clock.now(),
    isCollapsed: (request.headers.get("Cookie") ?? "").includes(RAIL_COOKIE),
  };
}
