import {
  type AccountsDeps,
  beginChallenge,
  createSession,
  endCarriedSession,
  FRAME_MS,
  type Frame,
  findLinkedPerson,
  formatFrame,
  needsSecondFactor,
} from "#core/accounts/index.ts";
import { AppError } from "#core/kernel/app-error.ts";
import { sha256Hex } from "#core/kernel/crypto.ts";
import { findInstallation, takeCode } from "./installation.store.ts";

type ExchangeDeps = Pick<AccountsDeps, "control" | "clock" | "ids" | "live" | "settings">;

/**
 * Opens our site in a host's frame, in exchange for a code. A person who has signed in in this host's frame before has a new
 * session, or is asked for the second factor; anybody else signs in or up there once. A session that the frame carried ends.
 *
 * @returns the page to open, and cookies that are partitioned to the host's pages
 * @throws AppError `err.host.code` for a code that is used, too old, for another frame, from another page, or of an
 *   installation that is over
 */
export async function exchangeCode(
  deps: ExchangeDeps,
  order: { code: string; verifier: string; origin: string },
  headers: Headers,
): Promise<{ next: string; setCookie: string[] }> {
  const now = deps.clock.now();
  const { code, verifier, origin: shellOrigin } = order;
  const [codeHash, challenge] = await Promise.all([sha256Hex(code), sha256Hex(verifier)]);
  const taken = await takeCode(deps.control, { codeHash, challenge, shellOrigin, now, isGrant: false });
  const installation = taken && (await findInstallation(deps.control, taken));
  if (!taken || !installation) throw new AppError("err.host.code");
  const { platform, siteId, accountId, siteOrigin } = taken;
  const frame: Frame = {
    platform,
    siteId,
    accountId,
    siteOrigin,
    shellOrigin,
    isLicensed: installation.plan !== null,
    endsAt: now + FRAME_MS,
  };
  const framed: ExchangeDeps = { ...deps, settings: { ...deps.settings, FRAME: frame } };
  await endCarriedSession(framed, headers);
  const entered = await enter(framed, await findLinkedPerson(deps.control, taken));
  return { next: entered.next, setCookie: [await formatFrame(deps, frame), ...entered.setCookie] };
}

async function enter(
  framed: Omit<ExchangeDeps, "live">,
  linked: { userId: string } | null,
): Promise<{ next: string; setCookie: string[] }> {
  if (!linked) return { next: "/auth/login", setCookie: [] };
  const { userId } = linked;
  if (await needsSecondFactor(framed, userId)) {
    const { setCookie } = await beginChallenge(framed, { userId, isRemembered: false });
    return { next: "/auth/login?challenge=1", setCookie };
  }
  const { setCookie } = await createSession(framed, { userId, isRemembered: false, mayReopen: false });
  return { next: "/", setCookie };
}
