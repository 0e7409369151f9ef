import { expect, test } from "vitest";
import { partPathOf } from "#connectors/contract/part-path.ts";
import { createdBy, promisedBy } from "#tests/conformance/expect-plan-kept.ts";
import { memoryJournal, runRestore } from "#tests/conformance/test-session.ts";
import { connector } from "../connector.ts";
import { openWorld, talkOf, versionOf } from "./restore-test-world.ts";

test("the labels of a version are added to a repository, and those that it has stay as they are", async () => {
  const open = await openWorld();
  const { world, octokit } = open;
  const source = await world.makeRepository("depot");
  const at = { owner: source.owner, repo: source.name };
  for (const [name, color] of [
    ["crane", "ff8800"],
    ["Ferry", "0088ff"],
    ["toll", "112233"],
  ] as const)
    await octokit.rest.issues.createLabel({ ...at, name, color });
  const snapshot = await versionOf(open, source);
  await octokit.rest.issues.deleteLabel({ ...at, name: "crane" });
  await octokit.rest.issues.updateLabel({ ...at, name: "Ferry", color: "ffffff" });
  await octokit.rest.issues.createLabel({ ...at, name: "new since then", color: "aaaaaa" });
  const colours = async () => {
    const { labels } = await talkOf(octokit, source.owner, source.name);
    return new Map(labels.map(({ name, color }) => [name, color]));
  };
  const before = await colours();
  const item = { ...world.reference(source), name: source.name };
  const part = partPathOf({ type: "all", kind: "label" });
  const order = { target: { kind: "existing", item }, part, answers: {} } as const;
  const plan = await connector.planRestore({ accountName: world.accountName }, snapshot, order);
  const done = await runRestore(connector.restore(open.session(), snapshot, order, memoryJournal()));
  expect([...(await colours())].sort()).toEqual([...before, ["crane", "ff8800"]].sort());
  expect(done.events.filter(({ type }) => type === "changed")).toMatchObject([{ what: "Label Ferry" }]);
  expect(done.item.webUrl).toMatch(/\/labels$/);
  expect(promisedBy(plan)).toEqual(createdBy(done.events));
});
