import { createReadStream, existsSync, mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Readable } from "node:stream";
import { Hono } from "hono";
import { z } from "zod";
import { LEVEL, levelIn } from "../access.ts";
import { RELATIONS, type Relation, readArchive, writeArchive } from "../archive.ts";
import { protectDefaultBranch } from "../git.ts";
import { findNamespace, type Namespace, namespaceId } from "../namespaces.ts";
import { createProject, fullName, fullPath } from "../projects.ts";
import { count, TOO_MANY_CREATIONS } from "../rate-limit.ts";
import { type GitlabWorld, nextId, type Project, type User } from "../state.ts";
import { type Body, forbidden, notFound, problem, type RestContext, type RestEnv } from "./answers.ts";
import { bool, readParameters, text } from "./parameters.ts";
import { mayCreateIn, nameFaults } from "./project-names.ts";
import { reachProject, requireUser } from "./reach.ts";

const exportOrder = z.object({
  description: text.optional(),
  upload: z.object({ url: z.url(), http_method: z.enum(["PUT", "POST"]).optional() }).optional(),
});
const place = { path: text, name: text.optional(), namespace: text.optional(), overwrite: bool.optional() };
const importOrder = z.object({ ...place, file: z.instanceof(Blob) });
const remoteOrder = z.object({ ...place, url: z.url() });
const relationOrder = z.object({ path: text, relation: z.enum(RELATIONS), file: z.instanceof(Blob) });

/** Export files: create, upload to a URL, download; import them whole or one relation at a time. */
export function transferRoutes(world: GitlabWorld): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  app.post("/projects/:id/export", (c) => order(c, world));
  app.get("/projects/:id/export", (c) => {
    const reached = reachProject(c, world, LEVEL.maintainer);
    return reached instanceof Response ? reached : c.json(renderExport(world, reached.project));
  });
  app.get("/projects/:id/export/download", (c) => {
    const reached = reachProject(c, world, LEVEL.maintainer);
    if (reached instanceof Response) return reached;
    const file = exportFile(world, reached.project);
    if (!existsSync(file)) return notFound(c);
    const limited = tooMany(c, world, "download", 1);
    if (limited) return limited;
    const body = Readable.toWeb(createReadStream(file)) as ReadableStream;
    return c.body(body, 200, {
      "Content-Type": "application/gzip",
      "Content-Length": String(statSync(file).size),
      "Content-Disposition": `attachment; filename="${reached.project.path}_export.tar.gz"`,
    });
  });
  app.post("/projects/import", async (c) => {
    const body = await readParameters(c, world, importOrder);
    if (body instanceof Response) return body;
    return begin(c, world, body, async () => new Uint8Array(await body.file.arrayBuffer()));
  });
  app.post("/projects/remote-import", async (c) => {
    const body = await readParameters(c, world, remoteOrder);
    if (body instanceof Response) return body;
    const answer = await fetch(body.url).catch(() => null);
    const length = answer?.headers.get("content-length") ?? null;
    if (!answer?.ok || length === null) {
      await answer?.body?.cancel();
      return problem(c, 400, "File url is blocked or its content length is missing");
    }
    return begin(c, world, body, async () => new Uint8Array(await answer.arrayBuffer()));
  });
  app.get("/projects/:id/import", (c) => {
    const reached = reachProject(c, world);
    return reached instanceof Response ? reached : c.json(renderImport(world, reached.project));
  });
  app.post("/projects/import-relation", (c) => importRelation(c, world));
  return app;
}

/** Limits the exports and imports of one user per minute. */
function tooMany(c: RestContext, world: GitlabWorld, kind: string, limit: number): Response | null {
  const user = requireUser(c);
  if (user instanceof Response) return user;
  const quota = count(world, `${kind} ${user.id}`, limit);
  return quota.used > limit ? c.json(TOO_MANY_CREATIONS, 429) : null;
}

function exportFile(world: GitlabWorld, project: Project): string {
  return path.join(world.directory, "exports", `${project.id}.tar.gz`);
}

function wait(ms: number): Promise<void> {
  return new Promise((settle) => setTimeout(settle, ms));
}

async function order(c: RestContext, world: GitlabWorld): Promise<Response> {
  const reached = reachProject(c, world, LEVEL.maintainer, { isAllowedArchived: true });
  if (reached instanceof Response) return reached;
  const body = await readParameters(c, world, exportOrder);
  if (body instanceof Response) return body;
  const limited = tooMany(c, world, "export", 6);
  if (limited) return limited;
  reached.project.exportStatus = "queued";
  void runExport(world, reached.project, body.upload);
  return c.json({ message: "202 Accepted" }, 202);
}

/** Runs an export. With an upload URL, the file is sent there as `application/gzip` and is not kept. */
async function runExport(
  world: GitlabWorld,
  project: Project,
  upload: z.output<typeof exportOrder>["upload"],
): Promise<void> {
  await wait(world.settings.jobMs / 2);
  project.exportStatus = "started";
  const file = exportFile(world, project);
  mkdirSync(path.dirname(file), { recursive: true });
  try {
    await writeArchive(world, project, file);
    await wait(world.settings.jobMs / 2);
    if (upload) {
      const answer = await fetch(upload.url, {
        method: upload.http_method ?? "PUT",
        headers: { "Content-Type": "application/gzip", "Content-Length": String(statSync(file).size) },
        body: Readable.toWeb(createReadStream(file)) as ReadableStream,
        duplex: "half",
      } as RequestInit);
      await answer.body?.cancel();
      rmSync(file);
      project.exportStatus = answer.ok ? "finished" : "none";
    } else project.exportStatus = "finished";
  } catch {
    // GitLab reports a failed export only by e-mail; the status returns to `none`.
    project.exportStatus = "none";
  }
  world.save();
}

function renderBrief(world: GitlabWorld, project: Project): Body {
  return {
    id: project.id,
    description: project.description,
    name: project.name,
    name_with_namespace: fullName(world, project),
    path: project.path,
    path_with_namespace: fullPath(world, project),
    created_at: project.createdAt,
  };
}

function renderExport(world: GitlabWorld, project: Project): Body {
  const isThere = project.exportStatus === "finished" && existsSync(exportFile(world, project));
  const links = {
    api_url: `${world.url}/api/v4/projects/${project.id}/export/download`,
    web_url: `${world.url}/${fullPath(world, project)}/download_export`,
  };
  return {
    ...renderBrief(world, project),
    export_status: project.exportStatus,
    ...(isThere ? { _links: links } : {}),
  };
}

function renderImport(world: GitlabWorld, project: Project): Body {
  return {
    ...renderBrief(world, project),
    import_status: project.importStatus,
    import_type: "gitlab_project",
    import_error: project.importError,
    correlation_id: String(project.id),
    failed_relations: [],
    stats: null,
  };
}

async function begin(
  c: RestContext,
  world: GitlabWorld,
  body: { path: string; name?: string; namespace?: string },
  read: () => Promise<Uint8Array>,
): Promise<Response> {
  const user = requireUser(c);
  if (user instanceof Response) return user;
  const limited = tooMany(c, world, "import", 6);
  if (limited) return limited;
  const namespace: Namespace | null =
    body.namespace === undefined ? { kind: "user", user } : findNamespace(world, body.namespace);
  if (!namespace || !mayCreateIn(c, world, namespace, user)) return notFound(c, "Namespace");
  const order = { path: body.path, name: body.name ?? body.path };
  const faults = nameFaults(world, namespaceId(namespace), order, null);
  if (faults) return problem(c, 400, Object.values(faults).flat().join(", "));
  const inside = { namespaceId: namespaceId(namespace), creatorId: user.id };
  const project = createProject(world, { ...order, ...inside, importStatus: "scheduled" });
  const file = path.join(world.directory, "imports", `${nextId(world.state)}.tar.gz`);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, await read());
  void runImport(world, project, file, { user, relation: null });
  return c.json(renderImport(world, project), 201);
}

async function importRelation(c: RestContext, world: GitlabWorld): Promise<Response> {
  const user = requireUser(c);
  if (user instanceof Response) return user;
  const body = await readParameters(c, world, relationOrder);
  if (body instanceof Response) return body;
  const project = world.state.projects.find(
    (known) => !known.isDeleted && fullPath(world, known) === body.path,
  );
  const level = project ? levelIn(world, c.get("viewer"), project) : 0;
  if (!project || level === 0) return notFound(c, "Project");
  if (level < LEVEL.maintainer) return forbidden(c);
  const file = path.join(world.directory, "imports", `${nextId(world.state)}.tar.gz`);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, new Uint8Array(await body.file.arrayBuffer()));
  void runImport(world, project, file, { user, relation: body.relation });
  return c.json(
    {
      id: nextId(world.state),
      project_path: body.path,
      relation: body.relation,
      status: "created",
      created_at: project.updatedAt,
    },
    201,
  );
}

async function runImport(
  world: GitlabWorld,
  project: Project,
  file: string,
  { user, relation }: { user: User; relation: Relation | null },
): Promise<void> {
  await wait(world.settings.jobMs / 2);
  if (relation === null) project.importStatus = "started";
  try {
    await readArchive(world, project, file, { importerId: user.id, relation });
    await wait(world.settings.jobMs / 2);
    if (relation === null) project.importStatus = "finished";
    protectDefaultBranch(world, project);
  } catch {
    if (relation === null) project.importStatus = "failed";
    project.importError = `Error importing repository into ${fullPath(world, project)} - The file is not an export file`;
  }
  rmSync(file, { force: true });
  world.save();
}
