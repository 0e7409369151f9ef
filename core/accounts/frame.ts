import { HOUR_MS } from "#core/kernel/clock.ts";
import { equalBytes, fromBase64Url, hmacSha256, toBase64Url, utf8 } from "#core/kernel/crypto.ts";
import { formatCookie, readCookie } from "./cookies.ts";
import type { AccountsDeps } from "./deps.ts";
import { type Frame, frameSchema } from "./frame.schema.ts";

type FrameDeps = Pick<AccountsDeps, "settings">;

const NAME = "frame";
const VALUE = /^([A-Za-z0-9_-]{1,2000})\.([A-Za-z0-9_-]{43})$/;
/** How long a frame's page may be reloaded before the host must name its person again; as long as a session. */
export const FRAME_MS = 12 * HOUR_MS;

/**
 * The cookie that tells in which host's frame our pages are shown. It is partitioned: browsers send it only inside pages of
 * that host, never on our own site. It opens nothing; it lets those pages be framed, and a sign-in in them belong to the
 * host's account. The MAC keeps it from being made by anybody else.
 */
export async function formatFrame(deps: FrameDeps, frame: Frame): Promise<string> {
  const value = toBase64Url(utf8(JSON.stringify(frame)));
  const mac = toBase64Url(await frameMac(deps, value));
  const framed = { settings: { ...deps.settings, FRAME: frame } };
  return formatCookie(framed, { name: NAME, value: `${value}.${mac}`, maxAgeMs: FRAME_MS });
}

/** The frame of a request; null outside of one, and when the cookie is not ours or is over. */
export async function readFrame(
  deps: FrameDeps & Pick<AccountsDeps, "clock">,
  headers: Headers,
): Promise<Frame | null> {
  const [, value = "", mac = ""] = VALUE.exec(readCookie(deps, headers, NAME) ?? "") ?? [];
  if (value === "" || !equalBytes(await frameMac(deps, value), fromBase64Url(mac))) return null;
  // Another release may have written it.
  const read = frameSchema.safeParse(JSON.parse(new TextDecoder().decode(fromBase64Url(value))));
  return read.success && deps.clock.now() < read.data.endsAt ? read.data : null;
}

function frameMac(deps: FrameDeps, value: string): Promise<Uint8Array> {
  return hmacSha256(utf8(deps.settings.AUTH_SECRET), utf8(`frame of a host\n${value}`));
}
