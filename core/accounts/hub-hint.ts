import { equalBytes, fromBase64Url, hmacSha256, toBase64Url, utf8 } from "#core/kernel/crypto.ts";
import { formatCookie, readCookie } from "./cookies.ts";
import type { AccountsDeps } from "./deps.ts";

type HintDeps = Pick<AccountsDeps, "settings">;

const NAME = "hub";
const HINT = /^(org_[0-9A-Za-z]{1,60})\.([A-Za-z0-9_-]{43})$/;

/**
 * The `Set-Cookie` value that names the hub of a session: the organisation, and a MAC over it and the session's token.
 * It only says where to ask and grants nothing. With another session it does not match, so nobody can send our calls to
 * hubs of their choice. It is a cookie of its own, because earlier releases must still read the session's. It lasts until
 * the browser closes; a page without one sets it.
 */
export async function formatHubHint(
  deps: HintDeps,
  { organisationId, tokenHash }: { organisationId: string; tokenHash: string },
): Promise<string> {
  const mac = toBase64Url(await hintMac(deps, organisationId, tokenHash));
  return formatCookie(deps, { name: NAME, value: `${organisationId}.${mac}`, maxAgeMs: null });
}

/** The organisation whose hub may know the session; null without a hint, and for a hint of another session. */
export async function readHubHint(
  deps: HintDeps,
  headers: Headers,
  tokenHash: string,
): Promise<string | null> {
  const [, organisationId = "", mac = ""] = HINT.exec(readCookie(deps, headers, NAME) ?? "") ?? [];
  if (organisationId === "") return null;
  const expected = await hintMac(deps, organisationId, tokenHash);
  return equalBytes(expected, fromBase64Url(mac)) ? organisationId : null;
}

function hintMac(deps: HintDeps, organisationId: string, tokenHash: string): Promise<Uint8Array> {
  return hmacSha256(
    utf8(deps.settings.AUTH_SECRET),
    utf8(`hub of a session\n${organisationId}\n${tokenHash}`),
  );
}
