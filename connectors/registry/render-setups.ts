import type { PlatformSetup } from "#connectors/contract/setup.ts";
import { camel } from "./camel.ts";
import { listenersOf } from "./ports.ts";

/** A platform's folder with its setup. */
type Named = { id: string; setup: PlatformSetup };

/**
 * The registry of setups, for commands: plain facts, so that they load no simulator.
 * @throws Error when a platform wants a port that another or the product has
 */
export function renderSetups(all: readonly Named[]): string {
  listenersOf(all.map(({ setup }) => setup));
  return [
    'import type { PlatformSetup } from "#connectors/contract/setup.ts";\n',
    ...all.map(({ id }) => `import { setup as ${camel(id)} } from "#connectors/platforms/${id}/setup.ts";\n`),
    "\n/** What is set up on a machine, by platform id. */\n",
    `export const setups: Readonly<Record<string, PlatformSetup>> = { ${entries(all)} };\n`,
  ].join("");
}

/** The registry of simulators, for the process that runs them. */
export function renderSimulators(all: readonly Named[]): string {
  const simulated = all.filter(({ setup }) => setup.simulator);
  return [
    ...simulated.map(
      ({ id }) =>
        `import { startSimulator as ${camel(id)} } from "#connectors/platforms/${id}/simulator/index.ts";\n`,
    ),
    'import type { StartSimulator } from "#connectors/toolkit/simulator/platform-simulator.ts";\n\n',
    "/** What starts the simulators, by platform id. Only for tests and `npm start`. */\n",
    `export const simulators: Readonly<Record<string, StartSimulator>> = { ${entries(simulated)} };\n`,
  ].join("");
}

function entries(all: readonly Named[]): string {
  return all.map(({ id }) => `${JSON.stringify(id)}: ${camel(id)}`).join(", ");
}
