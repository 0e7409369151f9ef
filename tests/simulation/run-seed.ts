import { createHash } from "node:crypto";
import { DAY_MS } from "#core/kernel/clock.ts";
import { dice } from "#tests/harness/dice.ts";
import { listenToLog } from "./complaints.ts";
import { openScheduler } from "./scheduler.ts";
import { seedGlobals } from "./seeded-globals.ts";
import { liveThrough, type Order, type Outcome, type Places } from "./world.ts";

/** Every world begins on the same day. */
const BEGINNING = Date.UTC(2026, 2, 1);

/** Simulates one world in this process, whose globals it replaces. `onLine` receives the log of all that happened. */
export async function runSeed(
  order: Order,
  places: Places,
  onLine: (line: string) => void = () => {},
): Promise<Outcome> {
  const scheduler = openScheduler(BEGINNING + (order.seed % 7) * DAY_MS);
  seedGlobals(dice(order.seed), scheduler);
  const digest = createHash("sha256");
  let events = 0;
  const note = (line: string) => {
    events += 1;
    const text = `${scheduler.now()} ${line}`;
    digest.update(`${text}\n`);
    onLine(text);
  };
  const outcome = await liveThrough(order, places, { scheduler, note, complaints: listenToLog(note) });
  return { ...outcome, digest: digest.digest("hex"), events };
}
