import { callApi } from "#app/api/call-api.ts";
import { failureNotices } from "#app/copy/failures.ts";
import { announce } from "./announce.ts";
import { clearStores } from "./last-page.ts";
import { browserStores, EXPIRED_KEY, hasExpired } from "./marker.ts";
import { leaveNotice, type Notice } from "./notice.ts";
import { signInPath } from "./safe-next.ts";

/** Why a session ends in this browser. */
export type LeaveReason =
  /** The user signed out. */
  | "chosen"
  /** Ten minutes without activity (spec A-289). */
  | "idle"
  /** The server reports that nobody is signed in (spec ). */
  | "refused"
  /** The marker was removed in another tab (spec A-292). */
  | "elsewhere";

/**
 * Leaves a page whose session was ended by the server: the user was removed, or signed out on another device. The
 * sign-in page then shows a notice, unless another tab of this browser signed out.
 */
export function leaveEndedSession(): void {
  if (hasExpired(browserStores())) void leave("elsewhere");
  else void leave("refused", failureNotices.ended);
}

let leaving: Promise<void> | null = null;

/**
 * Ends the session: sets the expiry marker, records `logout`, signs out on the server, clears the storage, then loads
 * the sign-in page. The full load ensures that no row, dialog or socket of the old session is left (spec A-236 to
 * A second call during the first one joins it.
 */
export function leave(reason: LeaveReason, notice: Notice | null = null): Promise<void> {
  leaving ??= end(reason, notice).finally(() => {
    leaving = null;
  });
  return leaving;
}

/**
 * Whether this page is ending its session and waits for the sign-in page. Its live connection closes meanwhile. Not for
 * ever: the browser may show the page again when its user goes back.
 */
export function isLeaving(): boolean {
  return Date.now() - leftAt < LEAVING_MS;
}

/** The longest time between the start of a sign-out and the sign-in page. */
const LEAVING_MS = 20_000;

let leftAt = Number.NEGATIVE_INFINITY;

async function end(reason: LeaveReason, notice: Notice | null): Promise<void> {
  leftAt = Date.now();
  const stores = browserStores();
  const { pathname, search } = window.location;
  stores.local.setItem(EXPIRED_KEY, String(Date.now()));
  if (reason === "chosen" || reason === "idle") {
    await quietly(() => callApi("POST user/user-action", { action: "logout" }, QUIETLY));
  }
  await quietly(() => callApi("POST identity/sign-out", {}, QUIETLY));
  /* The other tab has already cleared the storage. Clearing again could remove a new session's marker. */
  if (reason !== "elsewhere") {
    clearStores(stores, { wasChosen: reason === "chosen", now: Date.now() });
    announce({ kind: "signed-out" });
  }
  if (notice) leaveNotice(stores.session, notice);
  window.location.assign(reason === "chosen" ? "/auth/login" : signInPath(pathname + search));
}

const QUIETLY = { isQuiet: true } as const;

/** Maximum time to wait for the server. It ends an idle session itself. */
const PATIENCE_MS = 4_000;

/** Tries once and ignores the outcome: this browser signs out in any case. */
async function quietly(ask: () => Promise<unknown>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const patience = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, PATIENCE_MS);
  });
  await Promise.race([ask().then(nothing, nothing), patience]);
  clearTimeout(timer);
}

const nothing = () => undefined;
