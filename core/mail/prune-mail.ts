import type { ControlDatabase } from "#core/database/ledgers.ts";
import { type Clock, DAY_MS } from "#core/kernel/clock.ts";
import { deleteSettledMail } from "./mail.store.ts";

/** How long recipients are kept: longer than a year, the interval of the rarest recurring occasion. */
const KEPT_MS = 400 * DAY_MS;
/** Rows per sweep. The next sweep handles the rest. */
const AT_ONCE = 1_000;

/** Deletes e-mails that were sent or failed long ago. The hourly sweep calls it. Returns how many were deleted. */
export function pruneMail(deps: { control: ControlDatabase; clock: Clock }): Promise<number> {
  return deleteSettledMail(deps.control, { before: deps.clock.now() - KEPT_MS, limit: AT_ONCE });
}
