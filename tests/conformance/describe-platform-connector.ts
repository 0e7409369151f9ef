import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { PlatformConnector } from "#connectors/contract/platform-connector.ts";
import { describeAccess, describeMethods, describeRevocation } from "./connector/describe-access.ts";
import { describeBackup } from "./connector/describe-backup.ts";
import { describeFaults } from "./connector/describe-faults.ts";
import { describeInventory } from "./connector/describe-inventory.ts";
import { describeNames } from "./connector/describe-names.ts";
import { describePeople } from "./connector/describe-people.ts";
import { describeReading } from "./connector/describe-reading.ts";
import { describeRestore } from "./connector/describe-restore.ts";
import { describeViews } from "./connector/describe-views.ts";
import { type ConformanceWorld, createSuite } from "./connector/suite.ts";
import { faultsOfOperations } from "./operation-faults.ts";

export { failureOf } from "./connector/suite.ts";
export type { ConformanceWorld };

/**
 * The connector contract as a test suite. Every platform passes it for each item kind, against its simulator. Tests run
 * in order; the last one revokes access.
 */
export function describePlatformConnector(
  connector: PlatformConnector,
  { open }: { open: () => Promise<ConformanceWorld> },
): void {
  let world: ConformanceWorld;
  let token: string;
  let others: Readonly<Record<string, string>>;
  beforeAll(async () => {
    world = await open();
    token = await world.issueToken();
    others = (await world.otherTokens?.()) ?? {};
  });
  afterEach(async () => {
    world.faults.clear();
    await world.single?.tidy();
  });
  afterAll(() => world.stop());

  const { operations, descriptor } = connector;
  const { id } = descriptor;
  if (operations !== undefined) {
    test(`${id}: own operations take bounded input and return results that OpenAPI can describe`, () =>
      expect(faultsOfOperations(operations)).toEqual([]));
  }
  const suite = createSuite(connector, () => ({ world, token, others }));
  describeAccess(id, suite);
  describeMethods(id, suite);
  describeInventory(id, suite);
  describeBackup(id, suite);
  describePeople(id, suite);
  describeReading(id, suite);
  describeViews(id, suite);
  describeRestore(id, suite);
  describeNames(id, suite);
  describeFaults(id, suite);
  describeRevocation(id, suite, () => token);
}
