import { Hono } from "hono";
import { z } from "zod";
import {
  type DropboxSimulator,
  startDropboxSimulator,
} from "#connectors/storages/dropbox/simulator/dropbox-simulator.ts";
import {
  type GoogleDriveSimulator,
  startGoogleDriveSimulator,
} from "#connectors/storages/google-drive/simulator/google-drive-simulator.ts";
import { dropboxVars, googleDriveVars } from "#tests/simulators/storages.ts";

const order = z.object({ kind: z.enum(["dropbox", "google-drive"]), callback: z.url() });

/** Simulated storages that are connected by consent, one per request: `POST /drives {kind, callback}`. */
export function outsideDrives(): { routes: Hono; stop(): Promise<void> } {
  const running = new Map<string, DropboxSimulator | GoogleDriveSimulator>();
  let opened = 0;
  const routes = new Hono();
  routes.post("/drives", async (c) => {
    const { kind, callback } = order.parse(await c.req.json());
    const settings = { callbacks: ["http://localhost/", callback] };
    const id = String(++opened);
    if (kind === "dropbox") {
      const dropbox = await startDropboxSimulator({ settings });
      running.set(id, dropbox);
      return c.json({ id, url: dropbox.url, vars: dropboxVars(dropbox) });
    }
    const drive = await startGoogleDriveSimulator({ settings });
    running.set(id, drive);
    return c.json({ id, url: drive.url, vars: googleDriveVars(drive) });
  });
  routes.delete("/drives/:id", async (c) => {
    await running.get(c.req.param("id"))?.stop();
    running.delete(c.req.param("id"));
    return c.body(null, 204);
  });
  return {
    routes,
    async stop() {
      await Promise.all([...running.values()].map((simulator) => simulator.stop()));
    },
  };
}
