import type { ConnectorConfig } from "#connectors/contract/platform-connector.ts";
import { setups } from "#connectors/registry/setups.generated.ts";

/** Whether this installation has what reaches the platform. Without it nobody can connect an account there. */
export function isSetUp(platform: string, config: ConnectorConfig): boolean {
  const needs = setups[platform]?.settings ?? [];
  return needs.length === 0 || needs.some((names) => names.every((name) => config[name]));
}
