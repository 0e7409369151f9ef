import type { StartSimulator } from "#connectors/toolkit/simulator/platform-simulator.ts";
import { startAlmanacSimulator } from "./almanac-simulator.ts";

/** Starts an Almanac and tells the settings that point the product at it. */
export const startSimulator: StartSimulator = async ({ port, directory, seed }) => {
  const { url, vars, stop } = await startAlmanacSimulator({ port, directory, seed });
  return { url, vars, stop };
};
