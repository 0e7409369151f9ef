import { type AppLoadContext, redirect } from "@remix-run/cloudflare";
import { requireMember } from "#app/session/require-member.server.ts";
import { connectorOf } from "#core/connections/index.ts";
import { mayOpen } from "../_app.platform.backups.$platform/queries.server.ts";
import { coveredThings } from "./covered-things.server.ts";

/** What becomes of a platform's fields, for members who may see the platform. */
export function readCoverage(context: AppLoadContext, request: Request, platform: string) {
  if (!mayOpen(requireMember(context, request), platform)) throw redirect("/");
  const { coverage, descriptor } = connectorOf(context.services, platform);
  return { platform, label: descriptor.label, things: coveredThings(coverage) };
}
