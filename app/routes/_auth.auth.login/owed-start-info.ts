import { callApi } from "#app/api/call-api.ts";
import type { KeyValue } from "#app/session/marker.ts";

/**
 * Set while the start information of a session was refused with 403 and is asked for again behind the page (spec
 * A-235, the "test loading" flag). Nothing is shown; the session goes on.
 */
export const TEST_LOADING_KEY = "test-loading";

/** How long each further attempt waits, in ms. */
const WAITS_MS = [2_000, 10_000, 30_000] as const;

/** Sets the flag and asks again until an answer comes or the attempts are used up; the flag goes with the answer. */
export function oweStartInfo(
  session: Pick<KeyValue, "setItem" | "removeItem">,
  { load = loadQuietly, wait = pause }: { load?: () => Promise<unknown>; wait?: typeof pause } = {},
): Promise<boolean> {
  session.setItem(TEST_LOADING_KEY, "true");
  return retry(load, wait).then((isLoaded) => {
    if (isLoaded) session.removeItem(TEST_LOADING_KEY);
    return isLoaded;
  });
}

async function retry(load: () => Promise<unknown>, wait: typeof pause): Promise<boolean> {
  for (const ms of WAITS_MS) {
    await wait(ms);
    const isLoaded = await load().then(
      () => true,
      () => false,
    );
    if (isLoaded) return true;
  }
  return false;
}

function loadQuietly(): Promise<unknown> {
  return callApi("user/get-user-start-info", { isQuiet: true });
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
