import type { ControlDatabase } from "#core/database/ledgers.ts";
import { type Clock, DAY_MS } from "#core/kernel/clock.ts";
import { deleteSettledMail } from "./mail.store.ts";

/** How long it is known to whom an e-mail went: longer than the rarest occasion, a year, could come up again. */
const KEPT_MS = 400 * DAY_MS;
/** Rows of one sweep. What is left waits for the next. */
const AT_ONCE = 1_000;

/** Forgets e-mails that were sent or given up long ago; the hourly sweep calls it. Answers how many. */
export function pruneMail(deps: { control: ControlDatabase; clock: Clock }): Promise<number> {
  return deleteSettledMail(deps.control, { before: deps.clock.now() - KEPT_MS, limit: AT_ONCE });
}
