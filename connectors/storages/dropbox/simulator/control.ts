import { Hono } from "hono";
import { z } from "zod";
import { digestFile, streamFile } from "#connectors/toolkit/simulator/byte-files.ts";
import { grantControl } from "#connectors/toolkit/simulator/grant-control.ts";
import { deleteEntry, entryFile, findEntry } from "./entries.ts";
import { type DropboxPerson, type DropboxWorld, findPerson } from "./state.ts";

const deletion = z.strictObject({ login: z.string(), path: z.string() });
const spaceOrder = z.strictObject({
  login: z.string(),
  allocatedBytes: z.number().int().min(0).optional(),
  usedElsewhereBytes: z.number().int().min(0).optional(),
});
const settingsOrder = z.strictObject({
  tokenLifetimeMs: z.number().int().min(0).optional(),
  sessionLifetimeMs: z.number().int().min(0).optional(),
  mostRequestBytes: z.number().int().min(1).optional(),
  mostFileBytes: z.number().int().min(1).optional(),
});

/** Events at Dropbox that our code does not cause. Tests and the demo trigger them through `/__sim/dropbox/…`. */
export function controlRoutes(world: DropboxWorld): Hono {
  const app = new Hono().basePath("/dropbox");
  app.onError((error, c) => c.json({ message: error.message }, 400));
  const find = (login: string): DropboxPerson => {
    const person = findPerson(world.state, login);
    if (person === null) throw new Error(`There is nobody called ${login}`);
    return person;
  };
  const personIdOf = (login: string) => find(login).id;
  app.route("/", grantControl(world.desk, { scopes: world.settings.scopes, personIdOf }));
  app.post("/expire-sessions", (c) => {
    for (const session of world.state.sessions) session.startedAt = 0;
    world.save();
    return c.body(null, 204);
  });
  app.get("/files/:login", async (c) => {
    const person = find(c.req.param("login"));
    const files = world.state.entries.filter(({ personId, file }) => personId === person.id && file !== null);
    return c.json({
      files: await Promise.all(
        files.map(async (entry) => ({
          path: entry.pathDisplay.slice(1),
          sizeBytes: entry.file?.sizeBytes ?? 0,
          sha256: await digestFile(entryFile(world, entry), "sha256"),
        })),
      ),
    });
  });
  app.get("/files/:login/bytes", (c) => {
    const entry = findEntry(world, find(c.req.param("login")), `/${c.req.query("path")}`);
    if (entry?.file == null) throw new Error(`There is no file ${c.req.query("path")}`);
    return c.body(streamFile(entryFile(world, entry)));
  });
  app.post("/delete", async (c) => {
    const { login, path } = deletion.parse(await c.req.json());
    const person = find(login);
    const entry = findEntry(world, person, path);
    if (entry === null) throw new Error(`There is nothing at ${path}`);
    deleteEntry(world, person, entry);
    return c.body(null, 204);
  });
  app.post("/space", async (c) => {
    const { login, ...space } = spaceOrder.parse(await c.req.json());
    Object.assign(find(login), space);
    world.save();
    return c.body(null, 204);
  });
  app.post("/settings", async (c) => {
    Object.assign(world.settings, settingsOrder.parse(await c.req.json()));
    return c.body(null, 204);
  });
  return app;
}
