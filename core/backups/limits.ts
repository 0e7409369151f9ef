import { DAY_MS } from "#core/kernel/clock.ts";

/** Due items claimed per pass. Each takes two of the thousand statements that an invocation may run. */
export const CLAIM_AT_ONCE = 400;
/** E-mails about failed first backups that an organisation gets in an hour. */
export const FIRST_FAILURES_AN_HOUR = 10;
/** Messages per queue batch. */
export const SEND_AT_ONCE = 100;
/** Items of a request for everything that one pass queues. */
export const REQUESTED_AT_ONCE = 200;
/** Objects that one version may need. The commit sends their ids twice, 33 bytes each, in one batch. */
export const OBJECTS_PER_VERSION = 200_000;
/** The verdict of a check stands for this long for versions that did not change since. */
export const VERDICT_STANDS_MS = 7 * DAY_MS;
/** Objects of an unchanged version of which a part is read each day, in turn. */
export const SAMPLED_OBJECTS = 3;
