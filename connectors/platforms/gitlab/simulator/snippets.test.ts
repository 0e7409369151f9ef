import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { git } from "#connectors/toolkit/simulator/plain-git.ts";
import { gitlabForTest, temporaryFolder } from "./test-world.ts";

const HOME = "nora-lindqvist";

test("a snippet has one to ten files, and only its own page gives its repository's URL", async () => {
  const gitlab = await gitlabForTest();
  const token = gitlab.tokenOf(HOME);
  const post = (body: object) =>
    gitlab.ask("/snippets", token, { method: "POST", body: JSON.stringify({ title: "Lists", ...body }) });
  expect((await post({})).status).toBe(400);
  expect((await post({ files: [] })).status).toBe(400);
  const eleven = Array.from({ length: 11 }, (_, number) => ({ file_path: `${number}.txt`, content: "x" }));
  expect((await post({ files: eleven })).status).toBe(400);
  const answer = await post({
    files: [
      { file_path: "a b.md", content: "# A" },
      { file_path: "ü.txt", content: "ü" },
    ],
  });
  expect(answer.status).toBe(201);
  const made = (await answer.json()) as { id: number; http_url_to_repo: string; files: { path: string }[] };
  expect(made.http_url_to_repo).toBe(`${gitlab.url}/snippets/${made.id}.git`);
  expect(made.files.map((file) => file.path)).toEqual(["a b.md", "ü.txt"]);
  const client = gitlab.client();
  const [listed] = await client.Snippets.all();
  expect(listed).toMatchObject({ id: made.id, file_name: "a b.md" });
  expect(listed).not.toHaveProperty("http_url_to_repo");
  expect(await client.Snippets.showContent(made.id)).toBeDefined();
  const emptied = { files: [{ action: "update", file_path: "a b.md", content: "" }] };
  const refused = await gitlab.ask(`/snippets/${made.id}`, token, {
    method: "PUT",
    body: JSON.stringify(emptied),
  });
  expect(refused.status).toBe(400);
  const updated = await client.Snippets.edit(made.id, {
    description: "Two",
    files: [{ action: "delete", filePath: "ü.txt" }],
  });
  expect(updated).toMatchObject({ description: "Two", files: [{ path: "a b.md" }] });
  await expect(gitlab.client("ivo.petrov").Snippets.show(made.id)).rejects.toThrow("404");
});

test("a snippet's repository can be cloned, and pushed to its only branch by its author", async () => {
  const gitlab = await gitlabForTest();
  const client = gitlab.client();
  const project = gitlab.project("meridian-freight/customs");
  const made = await client.ProjectSnippets.create(project.id, "Query", {
    visibility: "internal",
    files: [{ filePath: "q.sql", content: "select 1" }],
  });
  const folder = temporaryFolder();
  const token = gitlab.tokenOf(HOME);
  const remote = gitlab.remote(`meridian-freight/customs/snippets/${made.id}`, token);
  expect((await git(folder, "clone", "--quiet", remote, "query")).code).toBe(0);
  const cwd = path.join(folder, "query");
  writeFileSync(path.join(cwd, "r.sql"), "select 2");
  await git(cwd, "add", ".");
  await git(cwd, "commit", "--quiet", "-m", "More");
  expect((await git(cwd, "push", "origin", "main")).code).toBe(0);
  const elsewhere = await git(cwd, "push", "origin", "main:other");
  expect(elsewhere.stderr).toContain("You can not create or delete branches");
  await git(cwd, "commit", "--quiet", "--amend", "-m", "Rewritten");
  expect((await git(cwd, "push", "--force", "origin", "main")).code).toBe(0);
  expect(await client.ProjectSnippets.show(project.id, made.id)).toMatchObject({
    files: [{ path: "q.sql" }, { path: "r.sql" }],
  });
  await client.ProjectSnippetNotes.create(project.id, made.id, "Nice");
  expect(await client.ProjectSnippetNotes.all(project.id, made.id)).toMatchObject([
    { noteable_type: "Snippet" },
  ]);
  // The API has no comments of personal snippets.
  const personal = await client.Snippets.create("Mine", {
    files: [{ filePath: "a", content: "b" }],
  } as never);
  expect((await gitlab.ask(`/snippets/${personal.id}/notes`, token)).status).toBe(404);
});

test("a snippet's comment can be answered only in a discussion, and none is internal", async () => {
  const gitlab = await gitlabForTest();
  const project = gitlab.project("meridian-freight/customs");
  const made = await gitlab.client().ProjectSnippets.create(project.id, "Query", {
    visibility: "internal",
    files: [{ filePath: "q.sql", content: "select 1" }],
  });
  const token = gitlab.tokenOf(HOME);
  const say = async (to: string, body: object) => {
    const order = { method: "POST", body: JSON.stringify(body) };
    const answer = await gitlab.ask(`/projects/${project.id}/snippets/${made.id}${to}`, token, order);
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };
  await say("/notes", { body: "Nice" });
  const { body: begun } = await say("/discussions", { body: "Why?" });
  expect(await say(`/discussions/${begun.id}/notes`, { body: "Because." })).toMatchObject({ status: 201 });
  const snippet = gitlab.world.state.snippets.find(({ id }) => id === made.id);
  const alone = snippet?.notes.find(({ body }) => body === "Nice")?.discussionId;
  expect(await say(`/discussions/${alone}/notes`, { body: "Thanks" })).toEqual({
    status: 400,
    body: { message: "400 Bad request - Discussion can not be replied to." },
  });
  for (const flag of ["internal", "confidential"]) {
    const refused = await say("/notes", { body: "For us", [flag]: true });
    expect(refused.status).toBe(400);
    expect(refused.body.message).toContain("can not be set for this resource");
  }
  expect(snippet?.notes.map(({ body }) => body)).toEqual(["Nice", "Why?", "Because."]);
});
