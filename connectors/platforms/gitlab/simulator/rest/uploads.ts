import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Hono } from "hono";
import { z } from "zod";
import { LEVEL } from "../access.ts";
import { type GitlabWorld, nextId, type Project, timestamp, type Upload } from "../state.ts";
import { notFound, type RestEnv } from "./answers.ts";
import { page } from "./pages.ts";
import { readParameters } from "./parameters.ts";
import { reachProject, requireUser } from "./reach.ts";
import { renderUserBrief } from "./render-users.ts";

const BASE = "/projects/:id/uploads";

/** Files attached to texts: anyone who may write can upload; maintainers can list and delete. */
export function uploadRoutes(world: GitlabWorld): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  app.post(BASE, async (c) => {
    const reached = reachProject(c, world, LEVEL.guest);
    if (reached instanceof Response) return reached;
    const user = requireUser(c);
    if (user instanceof Response) return user;
    const body = await readParameters(c, world, z.object({ file: z.instanceof(File) }));
    if (body instanceof Response) return body;
    const bytes = new Uint8Array(await body.file.arrayBuffer());
    const upload: Upload = {
      id: nextId(world.state),
      secret: randomBytes(16).toString("hex"),
      filename: path.basename(body.file.name).replace(/[^\p{L}\p{N}._-]+/gu, "_"),
      size: bytes.length,
      createdAt: timestamp(),
      uploadedById: user.id,
    };
    const file = fileOf(world, reached.project, upload);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, bytes);
    reached.project.uploads.push(upload);
    world.save();
    const url = `/uploads/${upload.secret}/${upload.filename}`;
    const isImage = /\.(png|jpe?g|gif|webp|svg)$/i.test(upload.filename);
    return c.json(
      {
        id: upload.id,
        alt: path.parse(upload.filename).name,
        url,
        full_path: `/-/project/${reached.project.id}${url}`,
        markdown: `${isImage ? "!" : ""}[${upload.filename}](${url})`,
      },
      201,
    );
  });
  app.get(BASE, (c) => {
    const reached = reachProject(c, world, LEVEL.maintainer);
    if (reached instanceof Response) return reached;
    // The newest first (docs.gitlab.com: Markdown uploads API). The secret of a link is not in the list.
    return page(c, world, reached.project.uploads.toReversed(), (upload) => ({
      id: upload.id,
      size: upload.size,
      filename: upload.filename,
      created_at: upload.createdAt,
      uploaded_by: renderUserBrief(world, upload.uploadedById),
    }));
  });
  for (const one of [`${BASE}/:upload_id{[0-9]+}`, `${BASE}/:secret{[0-9a-f]{32}}/:filename`]) {
    app.get(one, (c) => {
      const reached = reachProject(
        c,
        world,
        c.req.param("secret") === undefined ? LEVEL.maintainer : LEVEL.guest,
      );
      if (reached instanceof Response) return reached;
      const upload = reached.project.uploads.find(
        ({ id, secret }) => id === Number(c.req.param("upload_id")) || secret === c.req.param("secret"),
      );
      if (!upload) return notFound(c);
      const bytes = readFileSync(fileOf(world, reached.project, upload));
      return c.body(new Uint8Array(bytes), 200, {
        "Content-Type": "application/octet-stream",
        "Content-Length": String(bytes.length),
      });
    });
  }
  app.delete(`${BASE}/:upload_id{[0-9]+}`, (c) => {
    const reached = reachProject(c, world, LEVEL.maintainer);
    if (reached instanceof Response) return reached;
    const upload = reached.project.uploads.find(({ id }) => id === Number(c.req.param("upload_id")));
    if (!upload) return notFound(c);
    reached.project.uploads = reached.project.uploads.filter((known) => known !== upload);
    rmSync(fileOf(world, reached.project, upload), { force: true });
    world.save();
    return c.body(null, 204);
  });
  return app;
}

function fileOf(world: GitlabWorld, project: Project, upload: Upload): string {
  return path.join(world.directory, "uploads", String(project.id), upload.secret);
}
