import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { configSchema } from "#connectors/platforms/github/authorize.ts";
import { connector } from "#connectors/platforms/github/connector.ts";
import { takeSnapshot } from "#tests/conformance/memory-snapshot.ts";
import { testSession } from "#tests/conformance/test-session.ts";
import { startGitHost } from "./git-host.ts";

test("the bench's host answers every request of a backup, so that complete backups are measured", async () => {
  const root = mkdtempSync(join(tmpdir(), "git-host-"));
  const host = await startGitHost(root);
  onTestFinished(async () => {
    await host.close();
    rmSync(root, { recursive: true, force: true });
  });
  const config = configSchema.parse({ GITHUB_WEB_URL: host.url, GITHUB_API_URL: `${host.url}/api` });
  const session = testSession({ config, token: "bench", accountName: "bench" });
  host.register("1", "generated-200000");
  const item = await connector.getItem(session, {
    ...{ kind: "repository", externalId: "1", fullName: "bench/generated-200000" },
  });
  const order = { item, previous: null, cursor: null };
  const snapshot = await takeSnapshot(connector.backUp(session, order), null);
  expect(snapshot.skipped).toEqual([]);
  expect([...snapshot.entries.keys()].some((path) => path.endsWith(".pack"))).toBe(true);
});
