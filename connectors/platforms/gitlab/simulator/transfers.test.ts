import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { addCommits } from "#connectors/toolkit/simulator/histories.ts";
import { runGit } from "#connectors/toolkit/simulator/run-git.ts";
import { codeDirectory } from "./projects.ts";
import { gitlabForTest } from "./test-world.ts";

const HOME = "nora-lindqvist";

/** An HTTP server to upload to and download from, like an object store. */
async function objectStore() {
  const kept: { type: string; length: string; bytes: Buffer }[] = [];
  const server = createServer((request, response) => {
    if (request.method === "GET") {
      const bytes = kept.at(-1)?.bytes ?? Buffer.alloc(0);
      response.writeHead(200, { "Content-Length": bytes.length }).end(bytes);
      return;
    }
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const { "content-type": type = "", "content-length": length = "" } = request.headers;
      kept.push({ type, length, bytes: Buffer.concat(parts) });
      response.end();
    });
  });
  await new Promise<void>((settle) => server.listen(0, "127.0.0.1", settle));
  onTestFinished(() => void server.close());
  return { kept, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/file` };
}

async function world() {
  const gitlab = await gitlabForTest({ settings: { jobMs: 20 } });
  const project = gitlab.project(`${HOME}/source`, { description: "To be moved" });
  await addCommits(codeDirectory(gitlab.world, project), { count: 3 });
  const client = gitlab.client();
  await client.Issues.create(project.id, "Moved", {
    iid: 7,
    labels: "bug",
    createdAt: "2021-01-02T03:04:05.000Z",
  });
  await client.IssueNotes.create(project.id, 7, "Comment");
  await client.ProjectVariables.create(project.id, "SECRET_NAME", "value");
  const token = gitlab.tokenOf(HOME);
  const status = async (path: string, field: string, wanted: string) => {
    await expect
      .poll(async () => ((await (await gitlab.ask(path, token)).json()) as Record<string, unknown>)[field], {
        timeout: 10_000,
      })
      .toBe(wanted);
  };
  return { gitlab, project, client, token, status };
}

test("an export is created, downloaded at most once a minute, and imported as a new project of the importer", async () => {
  const { gitlab, project, client, token, status } = await world();
  const path = `/projects/${project.id}/export`;
  expect((await gitlab.ask(`${path}/download`, token)).status).toBe(404);
  expect((await gitlab.ask(path, token, { method: "POST" })).status).toBe(202);
  await status(path, "export_status", "finished");
  const download = await gitlab.ask(`${path}/download`, token);
  expect(download.headers.get("content-type")).toBe("application/gzip");
  const bytes = await download.arrayBuffer();
  expect((await gitlab.ask(`${path}/download`, token)).status).toBe(429);
  const form = new FormData();
  form.set("path", "arrived");
  form.set("file", new Blob([bytes]), "export.tar.gz");
  const answer = await gitlab.ask("/projects/import", token, { method: "POST", body: form });
  expect(answer.status).toBe(201);
  const { id } = (await answer.json()) as { id: number };
  await status(`/projects/${id}/import`, "import_status", "finished");
  expect(await client.Projects.show(id)).toMatchObject({ path: "arrived", description: "To be moved" });
  const [issue] = await client.Issues.all({ projectId: id });
  expect(issue).toMatchObject({ iid: 7, labels: ["bug"], created_at: "2021-01-02T03:04:05.000Z" });
  expect(issue?.description).toContain("Created by: Nora Lindqvist");
  expect(await client.IssueNotes.all(id, 7)).toHaveLength(1);
  expect(await client.ProjectVariables.all(id)).toEqual([]);
  const arrived = gitlab.world.state.projects.find((known) => known.id === id);
  const head = (directory: string) => runGit(directory, ["rev-parse", "main"]);
  expect(arrived && head(codeDirectory(gitlab.world, arrived))).toBe(
    head(codeDirectory(gitlab.world, project)),
  );
});

test("an export is sent to a URL, and a project imported from one", async () => {
  const { gitlab, project, token, status } = await world();
  const store = await objectStore();
  const path = `/projects/${project.id}/export`;
  const post = (to: string, body: object) =>
    gitlab.ask(to, token, { method: "POST", body: JSON.stringify(body) });
  await post(path, { upload: { url: store.url, http_method: "PUT" } });
  await status(path, "export_status", "finished");
  expect(store.kept).toMatchObject([
    { type: "application/gzip", length: String(store.kept[0]?.bytes.length) },
  ]);
  expect((await gitlab.ask(`${path}/download`, token)).status).toBe(404);
  const back = await post("/projects/remote-import", {
    url: store.url,
    path: "back",
    namespace: "meridian-freight/docks",
  });
  const { id, path_with_namespace } = (await back.json()) as { id: number; path_with_namespace: string };
  expect(path_with_namespace).toBe("meridian-freight/docks/back");
  await status(`/projects/${id}/import`, "import_status", "finished");
  expect(
    (
      await post("/projects/remote-import", {
        url: store.url,
        path: "back",
        namespace: "meridian-freight/docks",
      })
    ).status,
  ).toBe(400);
});

test("a relation is imported beside existing records, and an invalid archive fails", async () => {
  const { gitlab, project, client, token, status } = await world();
  const store = await objectStore();
  await gitlab.ask(`/projects/${project.id}/export`, token, {
    method: "POST",
    body: JSON.stringify({ upload: { url: store.url } }),
  });
  await status(`/projects/${project.id}/export`, "export_status", "finished");
  const other = gitlab.project(`${HOME}/other`);
  await client.Issues.create(other.id, "Was here", { iid: 3 });
  const send = (path: string, fields: Record<string, string>, bytes: Uint8Array) => {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    form.set("file", new Blob([new Uint8Array(bytes)]), "export.tar.gz");
    return gitlab.ask(path, token, { method: "POST", body: form });
  };
  const bytes = store.kept[0]?.bytes ?? Buffer.alloc(0);
  await send("/projects/import-relation", { path: `${HOME}/other`, relation: "issues" }, bytes);
  await expect
    .poll(async () => (await client.Issues.all({ projectId: other.id })).map(({ iid }) => iid).sort(), {
      timeout: 10_000,
    })
    .toEqual([3, 7]);
  const broken = await send("/projects/import", { path: "broken" }, Buffer.from("no archive"));
  const { id } = (await broken.json()) as { id: number };
  await status(`/projects/${id}/import`, "import_status", "failed");
});

test("an attached file is readable by anyone who has its secret, and listed for maintainers", async () => {
  const { gitlab, project, client, token } = await world();
  const made = await client.Projects.uploadForReference(project.id, {
    content: new Blob(["wind"]),
    filename: "wind.png",
  });
  expect(made.markdown).toMatch(/^!\[wind\.png\]\(\/uploads\/[0-9a-f]{32}\/wind\.png\)$/);
  const read = await gitlab.ask(`/projects/${project.id}${made.url}`, token);
  expect(await read.text()).toBe("wind");
  const listed = await gitlab.ask(`/projects/${project.id}/uploads`, token);
  expect(await listed.json()).toMatchObject([{ filename: "wind.png", size: 4 }]);
});
