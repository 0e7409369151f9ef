import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { type Bundles, PROJECT } from "./bundle.ts";
import type { ProcessOrder } from "./seed-process.ts";
import type { Order, Outcome } from "./world.ts";

/** Simulates one world in a process of its own. @throws Error with what the process said when it failed */
export async function simulate(
  order: Order,
  bundles: Bundles,
  { trace = null }: { trace?: string | null } = {},
): Promise<Outcome> {
  const told: ProcessOrder = { order, places: { root: PROJECT, bundle: bundles.product }, trace };
  const flags = ["--disable-warning=ExperimentalWarning"];
  const child = spawn(process.execPath, [...flags, bundles.world, JSON.stringify(told)], {
    stdio: ["ignore", "pipe", "pipe"],
    // A world must not depend on the variables that a test runner sets.
    env: { PATH: process.env.PATH ?? "", TMPDIR: process.env.TMPDIR ?? "/tmp" },
  });
  const ended = new Promise<number | null>((resolve) => child.on("exit", resolve));
  const [said, complaints, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  if (code !== 0)
    throw new Error(`The world ${order.seed} could not be simulated: ${complaints.slice(0, 4_000)}`);
  return JSON.parse(said) as Outcome;
}

/** Does something with each of a list, several at a time, in the order of the list. */
export async function together<T>(
  list: readonly T[],
  atOnce: number,
  act: (each: T) => Promise<void>,
): Promise<void> {
  const left = [...list];
  const work = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) await act(next);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}
