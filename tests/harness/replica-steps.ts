import { MINUTE_MS } from "#core/kernel/clock.ts";
import { catchUpReplicas } from "#core/replicas/index.ts";
import type { FlowWorld } from "./flow-world.ts";

/**
 * Lets the time pass and runs `catchUpReplicas`: once at once, once whenever a copy becomes due, and once at the end.
 * Ticks in between would do nothing.
 */
export async function letPass(world: FlowWorld, ms: number): Promise<void> {
  const end = world.clock.now() + ms;
  for (let at = world.clock.now() + MINUTE_MS; ; ) {
    world.clock.advance(at - world.clock.now());
    await world.tick(catchUpReplicas);
    await world.drain();
    if (at >= end) return;
    const [next] = await world.rows<{ at: number | null }>(
      "SELECT min(next_try_at) AS at FROM replica WHERE next_try_at > ?",
      world.clock.now(),
    );
    at = Math.min(next?.at ?? end, end);
  }
}
