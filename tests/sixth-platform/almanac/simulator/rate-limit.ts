import type { FaultAction } from "#connectors/toolkit/simulator/faults.ts";
import type { PlainAnswer } from "#connectors/toolkit/simulator/simulator-server.ts";
import type { AlmanacWorld } from "./state.ts";

const SHAPES = {
  /** The quota of a grant, with the seconds to wait. */
  site: "Too many requests for this site.",
  /** Too many at once, without a time. */
  burst: "Slow down.",
};
const USUAL_WAIT_S = 30;

/** Counts a request. @returns the seconds to wait when none is left, or null */
export function countRequest(world: AlmanacWorld, grantId: string, isUpload: boolean): number | null {
  const { windowMs, requestLimit, uploadLimit } = world.settings;
  const now = Date.now();
  const spend = (name: string, most: number): number | null => {
    const known = world.windows.get(name);
    const window = known && known.resetAt > now ? known : { used: 0, resetAt: now + windowMs };
    world.windows.set(name, window);
    if (window.used >= most) return Math.ceil((window.resetAt - now) / 1_000);
    window.used += 1;
    return null;
  };
  return spend(grantId, requestLimit) ?? (isUpload ? spend(`${grantId} uploads`, uploadLimit) : null);
}

/** The shapes of Almanac's rate limit responses: `site` and `burst`. */
export function rateLimitAnswer({
  shape,
  retryAfter,
}: Extract<FaultAction, { kind: "rate-limit" }>): PlainAnswer {
  if (!(shape in SHAPES)) throw new Error(`There is no shape ${shape} of a rate limit`);
  const headers: Record<string, string> = { "Content-Type": "application/json; charset=utf-8" };
  const wait = retryAfter ?? (shape === "site" ? String(USUAL_WAIT_S) : undefined);
  if (wait !== undefined) headers["Retry-After"] = wait;
  return { status: 429, headers, body: JSON.stringify({ message: SHAPES[shape as keyof typeof SHAPES] }) };
}
