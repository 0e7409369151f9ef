import { expect, test } from "vitest";
import { remoteConfig } from "./remote-config.ts";

test("a remote command uses the deployment's bindings that it names, and nothing else", () => {
  const config = remoteConfig(
    'binding = "DB"\nbinding = "LEDGER_US"\nbinding = "VAULT_US"\nbinding = "VAULT_DE"',
    ["DB", "VAULT_US"],
  );
  expect(config.match(/remote = true/g)).toHaveLength(2);
  expect(config).toContain('binding = "DB"\nremote = true');
});
