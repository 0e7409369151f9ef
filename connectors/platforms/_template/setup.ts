import type { PlatformSetup } from "#connectors/contract/setup.ts";

/** The settings of the platform. With `simulator/index.ts`, name its listeners here too. */
export const setup: PlatformSetup = { settings: [["EXAMPLE_CLIENT_ID", "EXAMPLE_CLIENT_SECRET"]] };
