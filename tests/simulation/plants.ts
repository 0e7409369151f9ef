import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { applyPatch, parsePatch } from "diff";
import { bundleSimulation, type ChangedSource, PROJECT, readSource } from "./bundle.ts";
import { simulate } from "./simulate.ts";

const FOLDER = path.join(PROJECT, "tests/simulation/plants");

/**
 * A mistake to plant: a patch of the product, with a first line that says what it breaks, and perhaps a second one with
 * the size of the world in which it shows: `World: 2 days, 60 items`.
 */
export type Plant = { name: string; mistake: string; world: WorldSize | null; changed: ChangedSource[] };
export type WorldSize = { days: number; items: number };

/** How a plant ended. `seed` null = no world noticed it. */
export type Found = { plant: Plant; seed: number | null; tried: number; fault: string };

/** Reads all plants, or those whose names match the expression. @throws Error when one does not fit the product any more */
export function readPlants(part = ""): Plant[] {
  const names = readdirSync(FOLDER).filter((name) => name.endsWith(".patch") && new RegExp(part).test(name));
  return names.sort().map((file) => {
    const text = readFileSync(path.join(FOLDER, file), "utf8");
    const changed = parsePatch(text).map((patch) => {
      const source = (patch.newFileName ?? "").replace(/^b\//, "");
      const planted = applyPatch(readSource(source), patch);
      if (planted === false) throw new Error(`${file} does not fit ${source} any more`);
      return { file: source, text: planted };
    });
    const [, days, items] = /^World: (\d+) days, (\d+) items$/m.exec(text) ?? [];
    const world = days === undefined ? null : { days: Number(days), items: Number(items) };
    return { name: path.basename(file, ".patch"), mistake: text.split("\n", 1)[0]!, world, changed };
  });
}

/** Simulates worlds with a planted mistake until one breaks a promise. A world that cannot go on has noticed it too. */
export async function findPlant(plant: Plant, seeds: readonly number[], usual: WorldSize): Promise<Found> {
  const bundles = await bundleSimulation(plant.changed);
  for (const [index, seed] of seeds.entries()) {
    const fault = await simulate({ seed, ...(plant.world ?? usual) }, bundles).then(
      ({ faults }) => faults[0],
      (cause: Error) => cause.message,
    );
    if (fault !== undefined) return { plant, seed, tried: index + 1, fault };
  }
  return { plant, seed: null, tried: seeds.length, fault: "" };
}
