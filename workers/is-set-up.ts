import type { ConnectorConfig } from "#connectors/contract/platform-connector.ts";
import type { PlatformSetup } from "#connectors/contract/setup.ts";

/** Whether the configuration has what reaches a platform: one complete set of its settings. One without settings needs none. */
export function isSetUp(sets: PlatformSetup["settings"], config: ConnectorConfig): boolean {
  return sets.length === 0 || sets.some((names) => names.every((name) => config[name]));
}
