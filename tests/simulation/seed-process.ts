import { appendFileSync, writeFileSync } from "node:fs";
import { runSeed } from "./run-seed.ts";
import type { Order, Places } from "./world.ts";

/** What a process that simulates one world is told. */
export type ProcessOrder = { order: Order; places: Places; trace: string | null };

/**
 * The whole life of such a process: one world, whose outcome it prints. One process per world, because a world replaces
 * clock and randomness.
 */
const { order, places, trace } = JSON.parse(process.argv[2] ?? "") as ProcessOrder;
const lines: string[] = [];
if (trace) writeFileSync(trace, "");
const flush = () => {
  if (trace) appendFileSync(trace, lines.map((line) => `${line}\n`).join(""));
  lines.length = 0;
};
const outcome = await runSeed(order, places, (line) => {
  if (!trace) return;
  lines.push(line);
  if (lines.length === 10_000) flush();
});
flush();
process.stdout.write(JSON.stringify(outcome), () => process.exit(0));
