/**
 * `npm run simulate`: simulates worlds, by default ten small ones. `--seed S` is the first seed, `--seeds N` how many,
 * `--days D` and `--items I` the size, `--trace FILE` writes all that happened in the last one. `--plants [--only NAMES]`
 * plants mistakes in the product instead and shows which world notices each; `--record` writes the table.
 */
import { writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { bundleSimulation, PROJECT } from "./bundle.ts";
import { type Found, findPlant, readPlants } from "./plants.ts";
import { simulate, together } from "./simulate.ts";

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "10" },
    seed: { type: "string", default: "1" },
    days: { type: "string", default: "8" },
    items: { type: "string", default: "6" },
    jobs: { type: "string", default: String(availableParallelism()) },
    trace: { type: "string" },
    plants: { type: "boolean", default: false },
    only: { type: "string", default: "" },
    record: { type: "boolean", default: false },
  },
});
const [first, count] = [Number(values.seed), Number(values.seeds)];
const seeds = Array.from({ length: count }, (_, index) => first + index);
const size = { days: Number(values.days), items: Number(values.items) };
const jobs = Number(values.jobs);
process.exitCode = (await (values.plants ? plantAll() : simulateAll())) ? 0 : 1;

async function simulateAll(): Promise<boolean> {
  const bundles = await bundleSimulation();
  let failed = 0;
  await together(seeds, jobs, async (seed) => {
    const trace = seed === seeds.at(-1) && values.trace ? path.resolve(values.trace) : null;
    const { faults, digest, versions, moves, calls, events } = await simulate({ seed, ...size }, bundles, {
      trace,
    });
    if (faults.length > 0) failed += 1;
    const facts = `${versions} versions, ${moves} moves, ${calls} calls, ${events} events, ${digest.slice(0, 12)}`;
    console.log(`${faults.length === 0 ? "✓" : "✗"} seed ${seed}: ${facts}`);
    for (const fault of faults) console.log(`    ${fault}`);
    if (faults.length > 0)
      console.log(
        `    again: npm run simulate -- --seeds 1 --seed ${seed} --days ${size.days} --items ${size.items}`,
      );
  });
  console.log(`${seeds.length - failed} worlds kept their promises, ${failed} did not`);
  return failed === 0;
}

async function plantAll(): Promise<boolean> {
  const found: Found[] = [];
  await together(readPlants(values.only), jobs, async (plant) => {
    const result = await findPlant(plant, seeds, size);
    found.push(result);
    const told =
      result.seed === null ? "✗ not found" : `✓ seed ${result.seed}: ${result.fault.slice(0, 160)}`;
    console.log(`${plant.name} ${told}`);
  });
  const missed = found.filter(({ seed }) => seed === null).length;
  if (values.record) writeFileSync(path.join(PROJECT, "tests/simulation/PLANTS.md"), table(found));
  console.log(`${found.length - missed} plants found, ${missed} not found`);
  return missed === 0;
}

function table(found: readonly Found[]): string {
  const rows = [...found]
    .sort((one, other) => (one.plant.name < other.plant.name ? -1 : 1))
    .map(({ plant, seed, tried, fault }) => {
      const cells = [plant.name, plant.mistake, seed === null ? "not found" : `${tried}`, shorten(fault)];
      return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
    });
  return [
    "# Planted mistakes",
    "",
    "Each patch in `plants/` is a mistake that somebody could make in the product. The simulation must notice it.",
    `Written by \`npm run simulate -- --plants --record\`; worlds of ${size.days} days and ${size.items} items.`,
    "",
    "| Plant | Mistake | Found in world | As |",
    "| --- | --- | --- | --- |",
    ...rows,
    "",
  ].join("\n");
}

/** A fault without its ids. */
const shorten = (fault: string) =>
  fault
    .split("\n", 1)[0]!
    .replace(/\b(snp|itm|run|obj)_[0-9a-z]+/g, "$1_…")
    .slice(0, 120);
