import type { Frame } from "#core/accounts/index.ts";
import { type ConnectionView, connectInstallation } from "#core/connections/index.ts";
import { AppError } from "#core/kernel/app-error.ts";
import { sha256Hex } from "#core/kernel/crypto.ts";
import type { Member } from "#core/organisations/index.ts";
import type { MailServices, SessionServices, Uses } from "#core/services.ts";
import { takeCode } from "./installation.store.ts";
import { openGrant } from "./site-grant.ts";

/**
 * Connects the site of the frame to the member's organisation, in exchange for a code that the app's page asked for with an
 * administrator of the site. Only the frame of that site and that person may use it.
 *
 * @throws AppError `err.host.code` outside of a frame, and for a code that is used, too old or for another frame;
 *   `err.role.forbidden`, `err.plan.required`
 */
export async function connectSite(
  s: SessionServices & MailServices & Uses<"ledger" | "live"> & { settings: { FRAME?: Frame } },
  member: Member,
  { authMethod, ...order }: { code: string; verifier: string; origin: string; authMethod: string },
): Promise<ConnectionView> {
  const { FRAME: frame } = s.settings;
  const [codeHash, challenge] = await Promise.all([sha256Hex(order.code), sha256Hex(order.verifier)]);
  const key = { codeHash, challenge, shellOrigin: order.origin, now: s.clock.now(), isGrant: true };
  const taken = frame ? await takeCode(s.control, key) : null;
  if (!frame || !taken?.sealedGrant) throw new AppError("err.host.code");
  const { platform, siteId, accountId } = frame;
  const isOwn = taken.platform === platform && taken.siteId === siteId && taken.accountId === accountId;
  if (!isOwn) throw new AppError("err.host.code");
  const { grant } = await openGrant(order.code, authMethod, taken.sealedGrant);
  if (grant.account.externalId !== siteId) throw new AppError("err.host.code");
  return connectInstallation(s, member, { platform, authMethod, grant, occasion: codeHash });
}
