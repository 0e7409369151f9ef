import { coversOrigin, type HostCall } from "#connectors/contract/host-app.ts";
import { AppError } from "#core/kernel/app-error.ts";
import { randomBytes, sha256Hex, toBase64Url } from "#core/kernel/crypto.ts";
import type { Uses } from "#core/services.ts";
import { insertCode } from "./installation.store.ts";
import { CODE_MS } from "./limits.ts";
import { noteHostCall } from "./note-host-call.ts";
import { type SiteGrant, sealGrant } from "./site-grant.ts";

/** Who may be around our pages: sources of a Content-Security-Policy. */
export type HostOrigins = { siteOrigins: readonly string[]; shellOrigins: readonly string[] };

/**
 * Issues a one-time code for the person of a verified call. Only its hash is stored. It opens a session only in the frame
 * whose secret `challenge` is the hash of, and only when the page at `origin` hands it over, so that a code that somebody
 * else asked for cannot be slipped into a person's frame.
 * @throws AppError `err.host.token` for a call that no person caused, or from a page that is not the app's
 */
export async function issueCode(
  s: Uses<"control" | "clock" | "ids" | "live">,
  order: {
    platform: string;
    call: HostCall;
    challenge: string;
    origin: string;
    origins: HostOrigins;
    /** The access to the site, for a code that connects it; absent = the code opens a session. */
    granted?: SiteGrant;
  },
): Promise<{ code: string }> {
  const { platform, call, challenge, origin, origins, granted } = order;
  const isOurs = origins.shellOrigins.some((source) => coversOrigin(source, origin));
  if (call.accountId === null || !isOurs) throw new AppError("err.host.token");
  await noteHostCall(s, platform, call);
  const code = toBase64Url(randomBytes(32));
  await insertCode(s.control, {
    codeHash: await sha256Hex(code),
    platform,
    siteId: call.siteId,
    accountId: call.accountId,
    siteOrigin: siteOriginOf(call.siteUrl, origins.siteOrigins),
    shellOrigin: origin,
    challenge,
    expiresAt: s.clock.now() + CODE_MS,
    sealedGrant: granted ? await sealGrant(code, granted) : null,
  });
  return { code };
}

/** The origin of the customer's site, if it is one that may be around our pages. */
function siteOriginOf(siteUrl: string | null, siteOrigins: readonly string[]): string | null {
  if (siteUrl === null || !URL.canParse(siteUrl)) return null;
  const { origin } = new URL(siteUrl);
  return siteOrigins.some((source) => coversOrigin(source, origin)) ? origin : null;
}
