import { makeNote } from "./issuables.ts";
import { lookUpProject } from "./projects.ts";
import type { Cast } from "./seed-people.ts";
import { changeFiles, createSnippet } from "./snippets.ts";
import type { GitlabWorld } from "./state.ts";

/** Personal snippets and one of a project, with several files, several versions and odd names. */
export async function seedSnippets(world: GitlabWorld, { nora, ivo }: Cast): Promise<void> {
  const at = { createdAt: "2026-07-14T11:05:00.000Z", updatedAt: "2026-07-14T11:05:00.000Z" };
  const aliases = await createSnippet(
    world,
    { projectId: null, authorId: nora.id, title: "Shell aliases", description: "Mine", ...at },
    [{ path: ".bash_aliases", content: "alias gs='git status'\n" }],
  );
  aliases.updatedAt = "2026-09-01T07:00:00.000Z";
  await changeFiles(world, aliases, [
    { path: ".bash_aliases", content: "alias gs='git status -sb'\n", action: "update" },
  ]);
  await createSnippet(
    world,
    { projectId: null, authorId: nora.id, title: "Größen & <weights>", visibility: "public", ...at },
    [
      { path: "sizes with spaces.csv", content: "port;metres\nMalmö;12,5\n" },
      { path: "überblick.md", content: "# Überblick\n\nNichts Neues.\n" },
      { path: "calc.py", content: "print(sum([1, 2, 3]))\n" },
    ],
  );
  const lookup = lookUpProject(world, "meridian-freight/customs-api");
  if (lookup.kind === "missing") return;
  const query = await createSnippet(
    world,
    {
      projectId: lookup.project.id,
      authorId: ivo.id,
      title: "Query for late seals",
      visibility: "internal",
      ...at,
    },
    [{ path: "late.sql", content: "select * from seals where late;\n" }],
  );
  query.notes.push(
    makeNote(world, { body: "Needs an index on `late`.", authorId: nora.id, createdAt: at.createdAt }),
  );
}
