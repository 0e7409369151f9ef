import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { applyPatch, parsePatch } from "diff";
import { bundleSimulation, type ChangedSource, PROJECT, readSource } from "./bundle.ts";
import { simulate } from "./simulate.ts";

const FOLDER = path.join(PROJECT, "tests/simulation/plants");

/** A mistake to plant: a patch of the product, with a first line that says what it breaks. */
export type Plant = { name: string; mistake: string; changed: ChangedSource[] };

/** How a plant ended. `seed` null = no world noticed it. */
export type Found = { plant: Plant; seed: number | null; tried: number; fault: string };

/** Reads all plants, or those whose names contain the text. @throws Error when one does not fit the product any more */
export function readPlants(part = ""): Plant[] {
  const names = readdirSync(FOLDER).filter((name) => name.endsWith(".patch") && name.includes(part));
  return names.sort().map((file) => {
    const text = readFileSync(path.join(FOLDER, file), "utf8");
    const changed = parsePatch(text).map((patch) => {
      const source = (patch.newFileName ?? "").replace(/^b\//, "");
      const planted = applyPatch(readSource(source), patch);
      if (planted === false) throw new Error(`${file} does not fit ${source} any more`);
      return { file: source, text: planted };
    });
    return { name: path.basename(file, ".patch"), mistake: text.split("\n", 1)[0]!, changed };
  });
}

/** Simulates worlds with a planted mistake until one breaks a promise. A world that cannot go on has noticed it too. */
export async function findPlant(
  plant: Plant,
  { seeds, days, items }: { seeds: readonly number[]; days: number; items: number },
): Promise<Found> {
  const bundles = await bundleSimulation(plant.changed);
  for (const [index, seed] of seeds.entries()) {
    const fault = await simulate({ seed, days, items }, bundles).then(
      ({ faults }) => faults[0],
      (cause: Error) => cause.message,
    );
    if (fault !== undefined) return { plant, seed, tried: index + 1, fault };
  }
  return { plant, seed: null, tried: seeds.length, fault: "" };
}
