import { afterAll, beforeAll, expect, test } from "vitest";
import { type MemorySnapshot, takeSnapshot } from "#tests/conformance/memory-snapshot.ts";
import { asNew } from "#tests/conformance/restore-orders.ts";
import { memoryJournal, runRestore, type TestSession, testSession } from "#tests/conformance/test-session.ts";
import { connector } from "./connector.ts";
import type { Project } from "./simulator/state.ts";
import { type GitlabTestWorld, openGitlabWorld } from "./test-world.ts";

const PICTURE = new Uint8Array(30_000).map((_, index) => (index * 11) % 251);
let world: GitlabTestWorld;
let token: string;
beforeAll(async () => {
  world = await openGitlabWorld("project");
  token = await world.issueToken();
});
afterAll(() => world.stop());

const session = (more: Partial<Parameters<typeof testSession>[0]> = {}): TestSession =>
  testSession({ config: world.config, token, accountName: world.accountName, ...more });

async function backUp(project: Project, previous: MemorySnapshot | null = null, by = session()) {
  const item = await connector.getItem(by, { kind: "project", ...world.reference(project) });
  return await takeSnapshot(connector.backUp(by, { item, previous, cursor: null }), previous);
}

/** Attaches a file as the web site does. @returns the Markdown link for a text */
async function attach(project: Project, name: string, bytes: Uint8Array): Promise<string> {
  const body = new FormData();
  body.append("file", new File([bytes as Uint8Array<ArrayBuffer>], name));
  const url = `${world.config.GITLAB_URL}/api/v4/projects/${project.id}/uploads`;
  const answer = await fetch(url, { method: "POST", headers: { authorization: `Bearer ${token}` }, body });
  expect(answer.status).toBe(201);
  return ((await answer.json()) as { markdown: string }).markdown;
}

const uploads = ({ entries }: MemorySnapshot) =>
  [...entries.values()].filter(({ info }) => info.kind === "upload");
const downloads = (by: TestSession) =>
  by.requests.filter(({ url }) => /\/uploads\/\d+$/.test(new URL(url).pathname));

test("files attached to a project's texts are in its version and ZIP, fetched once, and named by a restore", async () => {
  const project = await world.makeProject("attached");
  const link = await attach(project, "crane über.png", PICTURE);
  await attach(project, "empty.log", new Uint8Array());
  await world.ask("POST", `/projects/${project.id}/issues`, { title: "Look", description: link });
  const first = await backUp(project);
  expect(first.skipped).toEqual([]);
  expect(first.reported).toMatchObject({ upload: 2 });
  const [picture] = uploads(first).filter(({ info }) => info.sizeBytes > 0);
  expect(Buffer.from(picture?.bytes ?? []).equals(Buffer.from(PICTURE))).toBe(true);
  expect(picture?.info.title).toMatch(/^crane_?.*ber\.png$/);
  const again = session();
  const second = await backUp(project, first, again);
  expect(downloads(again)).toEqual([]);
  expect(uploads(second).map(({ info }) => info.hash)).toEqual(uploads(first).map(({ info }) => info.hash));
  const paths: string[] = [];
  let readme = "";
  for await (const file of connector.exportFiles(first, { name: "attached" })) {
    paths.push(file.path);
    if (file.path === "README.txt" && file.source === "bytes") readme = new TextDecoder().decode(file.bytes);
  }
  const [inside = "", outside = ""] = readme.split("What is not inside");
  expect(inside).toMatch(/uploads\/ +files attached to texts \(2\)/);
  expect(outside).toContain("where the connected account is none");
  const inZip = paths.filter((path) => path.startsWith("uploads/"));
  expect(inZip).toHaveLength(2);
  expect(inZip.some((path) => path.startsWith(`${picture?.info.path}-crane`))).toBe(true);
  const target = asNew("attached-2");
  const { events } = await runRestore(connector.restore(session(), first, target, memoryJournal()));
  expect(events).toContainEqual(
    expect.objectContaining({
      type: "impossible",
      what: expect.stringMatching(/^Files attached to texts: /),
    }),
  );
  project.uploads = project.uploads.filter(({ filename }) => filename !== "empty.log");
  expect(uploads(await backUp(project, second))).toHaveLength(1);
});

test("without permission to list attached files this is reported, and previously stored ones are kept", async () => {
  const project = await world.makeProject("kept-away");
  await attach(project, "plan.pdf", PICTURE);
  const first = await backUp(project);
  const refused = session({
    fetch: async (url, init) =>
      /\/uploads(\?|$)/.test(url)
        ? Response.json({ message: "403 Forbidden" }, { status: 403 })
        : await fetch(url, init),
  });
  const second = await backUp(project, first, refused);
  expect(uploads(second)).toHaveLength(1);
  expect(second.skipped.map(({ kind, reason }) => [kind, reason])).toEqual([
    ["upload", expect.stringContaining("What the previous version holds is kept.")],
  ]);
});
