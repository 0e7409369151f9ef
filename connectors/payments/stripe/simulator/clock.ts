import type { StripeWorld } from "./state.ts";
import { runUntil } from "./timeline.ts";

/** Moves the simulator's clock. What falls due on the way happens before the clock shows its new time. */
export function setClock(world: StripeWorld, { at, isStopped }: { at: number; isStopped: boolean }): void {
  runUntil(world, at, null);
  const machine = Math.floor(Date.now() / 1000);
  world.state.clock = { ahead: at - machine, stoppedAt: isStopped ? at : null };
  world.save();
  world.deliver();
}
