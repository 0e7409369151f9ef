import type { Hono } from "hono";
import { z } from "zod";
import { digestFile, streamFile } from "#connectors/toolkit/simulator/byte-files.ts";
import { storageControl } from "#connectors/toolkit/simulator/storage-control.ts";
import { getPerson } from "#connectors/toolkit/simulator/storage-site.ts";
import { deleteEntry, entryFile, findEntry } from "./entries.ts";
import type { DropboxWorld } from "./state.ts";

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
  const app = storageControl("/dropbox", world, { space: spaceOrder, settings: settingsOrder });
  const find = (login: string) => getPerson(world.state, login);
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
  return app;
}
