import { z } from "zod";
import { AppError } from "#core/kernel/app-error.ts";
import { equalBytes, fromBase64Url, fromUtf8, hmacSha256, toBase64Url, utf8 } from "#core/kernel/crypto.ts";
import { REGIONS, type Region } from "#core/kernel/platform-id.ts";
import type { CoreServices } from "#core/services.ts";
import { parseMasterKeys } from "#core/vault/index.ts";

/**
 * What a link says: an export or a version to clone, for whom and until when. The link carries no right of its own:
 * at every use the ledger is asked whether it was revoked and whether the person still has the role.
 */
const claimSchema = z.strictObject({
  v: z.literal(1),
  /** Version of the key that signed. */
  k: z.number().int(),
  t: z.enum(["zip", "clone"]),
  r: z.enum(REGIONS),
  /** Export or snapshot. */
  i: z.string(),
  u: z.string(),
  /** Expiry, epoch ms. */
  x: z.number().int(),
});

export type LinkClaim = z.infer<typeof claimSchema>;
type LinkDeps = Pick<CoreServices, "settings" | "clock">;

/** Address of a ready ZIP. The same export gives the same person the same link. */
export async function exportLink(
  s: LinkDeps,
  link: { region: Region; exportId: string; userId: string; expiresAt: number },
): Promise<string> {
  const token = await sign(s, {
    t: "zip",
    r: link.region,
    i: link.exportId,
    u: link.userId,
    x: link.expiresAt,
  });
  return `${s.settings.PUBLIC_URL}/download/${token}`;
}

/** Address under which plain git clones a repository of a version. */
export async function cloneLink(
  s: LinkDeps,
  link: { region: Region; snapshotId: string; userId: string; expiresAt: number; name: string },
): Promise<string> {
  const token = await sign(s, {
    t: "clone",
    r: link.region,
    i: link.snapshotId,
    u: link.userId,
    x: link.expiresAt,
  });
  return `${s.settings.PUBLIC_URL}/clone/${token}/${encodeURIComponent(link.name)}`;
}

/** Reads a link. @throws AppError `err.link.invalid` for a forged one, `err.link.expired` for an old one */
export async function readLink(s: LinkDeps, token: string, type: LinkClaim["t"]): Promise<LinkClaim> {
  const [body, signature, ...rest] = token.split(".");
  const claim = body && signature && rest.length === 0 ? parseClaim(body) : null;
  const key = claim && parseMasterKeys(s.settings.LINK_KEYS).keys.get(claim.k);
  if (!claim || !key || claim.t !== type) throw new AppError("err.link.invalid");
  const isGenuine = equalBytes(await hmacSha256(key, utf8(`holdfast-link.${body}`)), decode(signature!));
  if (!isGenuine) throw new AppError("err.link.invalid");
  if (claim.x <= s.clock.now()) throw new AppError("err.link.expired");
  return claim;
}

async function sign(s: LinkDeps, claim: Omit<LinkClaim, "v" | "k">): Promise<string> {
  const ring = parseMasterKeys(s.settings.LINK_KEYS);
  const body = toBase64Url(utf8(JSON.stringify({ v: 1, k: ring.newest, ...claim })));
  return `${body}.${toBase64Url(await hmacSha256(ring.keys.get(ring.newest)!, utf8(`holdfast-link.${body}`)))}`;
}

function parseClaim(body: string): LinkClaim | null {
  try {
    return claimSchema.parse(JSON.parse(fromUtf8(fromBase64Url(body))));
  } catch {
    return null;
  }
}

function decode(signature: string): Uint8Array {
  try {
    return fromBase64Url(signature);
  } catch {
    return new Uint8Array();
  }
}
