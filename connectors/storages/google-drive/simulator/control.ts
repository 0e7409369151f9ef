import type { Hono } from "hono";
import { z } from "zod";
import { streamFile } from "#connectors/toolkit/simulator/byte-files.ts";
import { storageControl } from "#connectors/toolkit/simulator/storage-control.ts";
import { getPerson } from "#connectors/toolkit/simulator/storage-site.ts";
import { contentFile, destroyFile, isInTrash, makeFile, pathOfFile } from "./files.ts";
import type { DriveFile, DriveWorld } from "./state.ts";

const which = z.strictObject({ login: z.string(), name: z.string() });
const stranger = z.strictObject({ login: z.string(), name: z.string(), mimeType: z.string().optional() });
const spaceOrder = z.strictObject({
  login: z.string(),
  limitBytes: z.number().int().min(0).nullable().optional(),
  usedElsewhereBytes: z.number().int().min(0).optional(),
});
const breakOrder = z.strictObject({
  afterBytes: z.number().int().min(0),
  status: z.number().int().min(500).max(599).default(503),
});
const settingsOrder = z.strictObject({
  tokenLifetimeMs: z.number().int().min(0).optional(),
  sessionLifetimeMs: z.number().int().min(0).optional(),
});

/** Events at Google that our code does not cause. Tests and the demo trigger them through `/__sim/google-drive/…`. */
export function controlRoutes(world: DriveWorld): Hono {
  const app = storageControl("/google-drive", world, { space: spaceOrder, settings: settingsOrder });
  const find = (login: string) => getPerson(world.state, login);
  const findNamed = (login: string, name: string): DriveFile => {
    const { id } = find(login);
    const file = world.state.files.find((each) => each.personId === id && each.name === name);
    if (file === undefined) throw new Error(`There is nothing called ${name}`);
    return file;
  };
  app.post("/break-upload", async (c) => {
    world.breakage = breakOrder.parse(await c.req.json());
    return c.body(null, 204);
  });
  /** Complete files outside the trash, with their paths below our folder. */
  const filesOf = (login: string) =>
    world.state.files
      .filter((file) => file.personId === find(login).id && !isInTrash(world, file))
      .flatMap(({ content, ...file }) =>
        content === null
          ? []
          : {
              id: file.id,
              path: pathOfFile(world, { ...file, content }).replace(/^Holdfast\//, ""),
              content,
            },
      );
  app.get("/files/:login", (c) => {
    const files = filesOf(c.req.param("login"));
    return c.json({
      files: files.map(({ path, content: { sizeBytes, sha256 } }) => ({ path, sizeBytes, sha256 })),
    });
  });
  app.get("/files/:login/bytes", (c) => {
    const path = c.req.query("path");
    const file = filesOf(c.req.param("login")).find((each) => each.path === path);
    if (file === undefined) throw new Error(`There is no file ${path}`);
    return c.body(streamFile(contentFile(world, file.id)));
  });
  app.post("/delete", async (c) => {
    const { login, name } = which.parse(await c.req.json());
    destroyFile(world, findNamed(login, name));
    return c.body(null, 204);
  });
  app.post("/trash", async (c) => {
    const { login, name } = which.parse(await c.req.json());
    findNamed(login, name).isTrashed = true;
    world.save();
    return c.body(null, 204);
  });
  app.post("/stranger", async (c) => {
    const { login, ...metadata } = stranger.parse(await c.req.json());
    const file = makeFile(world, find(login), metadata, null);
    file.isOurs = false;
    return c.json({ id: file.id });
  });
  return app;
}
