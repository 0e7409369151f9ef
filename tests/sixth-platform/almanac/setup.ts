import type { PlatformSetup } from "#connectors/contract/setup.ts";

/** The settings and the simulator of Almanac. */
export const setup: PlatformSetup = {
  settings: [["ALMANAC_CLIENT_ID", "ALMANAC_CLIENT_SECRET"]],
  simulator: { offset: 20, listeners: ["simulated Almanac"], address: "ALMANAC_URL" },
};
