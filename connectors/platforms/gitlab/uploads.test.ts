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

test("files attached to a project's texts are in its version and ZIP, and fetched once", async () => {
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

/** Where a text of the restored project links to, and the bytes there. */
async function linked(project: Project, text: string | null | undefined) {
  const links = [...(text ?? "").matchAll(/\/uploads\/([0-9a-f]{32})\/([^\s)]+)/g)];
  return await Promise.all(
    links.map(async ([, secret, name]) => {
      const url = `${world.config.GITLAB_URL}/api/v4/projects/${project.id}/uploads/${secret}/${name}`;
      const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
      return answer.status === 200
        ? Buffer.from(await answer.arrayBuffer()).toString("latin1")
        : answer.status;
    }),
  );
}

test("a restore uploads attached files again, and links of all texts lead to the right ones, whatever their names", async () => {
  const project = await world.makeProject("shown");
  const { fullName } = world.reference(project);
  const at = `/projects/${project.id}`;
  const texts = ["first", "the second", "third one"];
  const bytes = (text: string) => new TextEncoder().encode(text);
  const links = [];
  for (const text of texts) links.push(await attach(project, "image.png", bytes(text)));
  const plan = await attach(project, "plan.pdf", bytes("a plan"));
  const web = `${world.config.GITLAB_URL}/${fullName}`;
  const elsewhere = "https://elsewhere.example/a/uploads/0123456789abcdef0123456789abcdef/image.png";
  const description = `${links[0]} and ${plan.replace("(/uploads", `(${web}/uploads`)}`;
  await world.ask("POST", `${at}/issues`, { title: "Look", description });
  const body = `${links[2]} is not ${elsewhere}, but /-/project/${project.id}${/\((.*)\)/.exec(links[1] ?? "")?.[1]}`;
  await world.ask("POST", `${at}/issues/1/notes`, { body });
  await world.ask("POST", `${at}/releases`, { tag_name: "v1.1", name: "One", description: plan });
  const version = await backUp(project);
  const again = session();
  await backUp(project, version, again);
  expect(again.requests.filter(({ url }) => /\/uploads\/./.test(url))).toEqual([]);
  const before = JSON.stringify(project);
  const { item, events } = await runRestore(
    connector.restore(session(), version, asNew("shown-2"), memoryJournal()),
  );
  expect(JSON.stringify(project)).toBe(before);
  const restored = world.projectNamed("shown-2");
  expect(item.externalId).toBe(String(restored.id));
  expect(restored.uploads).toHaveLength(4);
  const issue = restored.issues[0];
  expect(await linked(restored, issue?.description)).toEqual(["first", "a plan"]);
  expect(issue?.description).not.toContain(`${web}/uploads`);
  expect(await linked(restored, issue?.notes[0]?.body)).toEqual(["third one", 404, "the second"]);
  expect(issue?.notes[0]?.body).toContain(elsewhere);
  expect(await linked(restored, restored.releases[0]?.description)).toEqual(["a plan"]);
  expect(events).toContainEqual({ type: "restored", kind: "upload", count: 4 });
  expect(events.filter(({ type }) => type === "missing")).toEqual([]);
  expect(events).not.toContainEqual(
    expect.objectContaining({ what: expect.stringMatching(/^Files|^Links/) }),
  );
});

test("files of one name and size with other bytes are all uploaded, and the report names their links", async () => {
  const project = await world.makeProject("alike");
  const description = [];
  for (const text of ["one", "two"])
    description.push(await attach(project, "image.png", new TextEncoder().encode(text)));
  await world.ask("POST", `/projects/${project.id}/issues`, {
    title: "Look",
    description: description.join(" "),
  });
  const version = await backUp(project);
  const { events } = await runRestore(
    connector.restore(session(), version, asNew("alike-2"), memoryJournal()),
  );
  const restored = world.projectNamed("alike-2");
  expect(restored.uploads).toHaveLength(2);
  expect(restored.issues[0]?.description).toContain(description[0]);
  expect(events).toContainEqual(expect.objectContaining({ type: "changed", what: "Links to image.png" }));
});

test("a restore that dies after any upload has each file once", async () => {
  const project = await world.makeProject("dying");
  const text = [];
  for (const name of ["a.txt", "b.txt"]) text.push(await attach(project, name, PICTURE));
  await world.ask("POST", `/projects/${project.id}/issues`, { title: "Look", description: text.join(" ") });
  const version = await backUp(project);
  for (const death of [1, 2]) {
    const journal = memoryJournal();
    let sent = 0;
    const dying = session({
      fetch: async (url, init) => {
        const answer = await fetch(url, init);
        // GitLab has the file; its answer is lost.
        if (init?.method === "POST" && url.endsWith("/uploads") && ++sent === death)
          throw new TypeError("The worker died.");
        return answer;
      },
    });
    const name = `dying-${death}`;
    const target = asNew(name);
    await expect(runRestore(connector.restore(dying, version, target, journal))).rejects.toThrow();
    await runRestore(connector.restore(session(), version, target, journal));
    const restored = world.projectNamed(name);
    expect(restored.uploads.map(({ filename }) => filename).sort()).toEqual(["a.txt", "b.txt"]);
    expect(await linked(restored, restored.issues[0]?.description)).toHaveLength(2);
  }
});
