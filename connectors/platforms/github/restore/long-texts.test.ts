import { expect, test } from "vitest";
import { takeSnapshot } from "#tests/conformance/memory-snapshot.ts";
import { asNew } from "#tests/conformance/restore-orders.ts";
import { memoryJournal, runRestore } from "#tests/conformance/test-session.ts";
import { connector } from "../connector.ts";
import { createGist } from "../simulator/gists.ts";
import { CUT_TEXT } from "./quote-github.ts";
import { lines, openWorld, versionOf } from "./restore-test-world.ts";

const cutLines = (events: Parameters<typeof lines>[0]) =>
  lines(events).flatMap((line) => (line.type === "changed" && line.reason === CUT_TEXT ? [line.what] : []));

test("notes of a release return whole up to GitHub's limit for releases, and a cut is reported", async () => {
  const open = await openWorld();
  const repository = await open.world.makeRepository("depot");
  const at = { owner: repository.owner, repo: "depot" };
  const long = "Lifts more. ".repeat(10_000);
  const longest = "x".repeat(125_000);
  for (const [tag_name, body] of [
    ["v1.0", long],
    ["v1.1", longest],
  ] as const)
    await open.octokit.rest.repos.createRelease({ ...at, tag_name, name: tag_name, body });
  const version = await versionOf(open, repository);
  const { events } = await runRestore(
    connector.restore(open.session(), version, asNew("depot_restored"), memoryJournal()),
  );
  const { data } = await open.octokit.rest.repos.listReleases({ ...at, repo: "depot_restored" });
  const bodyOf = (tag: string) => data.find(({ tag_name }) => tag_name === tag)?.body ?? "";
  expect(bodyOf("v1.0")).toContain(long.trimEnd());
  expect(bodyOf("v1.1")).toHaveLength(125_000);
  expect(bodyOf("v1.1")).toContain("the backup holds all of it");
  expect(cutLines(events)).toEqual(["Release v1.1"]);
});

test("a comment of a gist that is too long for another one is cut and reported", async () => {
  const { world, session } = await openWorld();
  const gist = await createGist(world.simulator.world, {
    ...{ owner: world.accountName, description: "Notes", isPublic: false, files: { "a.md": "a" } },
  });
  const times = { createdAt: gist.createdAt, updatedAt: gist.createdAt };
  gist.comments.push({ id: 77, author: world.accountName, body: "y".repeat(65_535), ...times });
  const item = await connector.getItem(session(), { kind: "gist", externalId: gist.id, fullName: "" });
  const version = await takeSnapshot(connector.backUp(session(), { item, previous: null, cursor: null }));
  const restored = await runRestore(connector.restore(session(), version, asNew("copy"), memoryJournal()));
  const copy = world.simulator.world.state.gists.find(({ id }) => id === restored.item.externalId);
  expect(copy?.comments[0]?.body).toHaveLength(65_535);
  expect(lines(restored.events)).not.toContainEqual(expect.objectContaining({ type: "missing" }));
  expect(cutLines(restored.events)).toEqual([`A comment of ${world.accountName}`]);
});
