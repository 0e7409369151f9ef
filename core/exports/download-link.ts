import { z } from "zod";
import { AppError } from "#core/kernel/app-error.ts";
import { equalBytes, fromBase64Url, fromUtf8, hmacSha256, toBase64Url, utf8 } from "#core/kernel/crypto.ts";
import { REGIONS, type Region } from "#core/kernel/platform-id.ts";
import type { Uses } from "#core/services.ts";
import { parseMasterKeys } from "#core/vault/index.ts";

/**
 * The content of a link: an export or a version to clone, for whom and until when. The link itself grants no right. On
 * every use, the ledger is checked for revocation and the person for their role.
 */
const claimSchema = z.strictObject({
  v: z.literal(1),
  /** Version of the signing key. */
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

/** URL of a ready ZIP. The same export and person always give the same link. */
export async function exportLink(
  s: Uses<"settings">,
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

/** URL from which git clones a repository of a version. */
export async function cloneLink(
  s: Uses<"settings">,
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

/** Reads a link. @throws AppError `err.link.invalid` when it is forged, `err.link.expired` when it has expired */
export async function readLink(
  s: Uses<"clock" | "settings">,
  token: string,
  type: LinkClaim["t"],
): Promise<LinkClaim> {
  const [body, signature, ...rest] = token.split(".");
  const claim = body && signature && rest.length === 0 ? parseClaim(body) : null;
  const key = claim && parseMasterKeys(s.settings.LINK_KEYS).keys.get(claim.k);
  if (!claim || !key || claim.t !== type) throw new AppError("err.link.invalid");
  const isGenuine = equalBytes(await hmacSha256(key, utf8(`holdfast-link.${body}`)), decode(signature!));
  if (!isGenuine) throw new AppError("err.link.invalid");
  if (claim.x <= s.clock.now()) throw new AppError("err.link.expired");
  return claim;
}

async function sign(s: Uses<"settings">, claim: Omit<LinkClaim, "v" | "k">): Promise<string> {
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
