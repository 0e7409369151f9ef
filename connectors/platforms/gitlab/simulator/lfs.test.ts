import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { lfsPointer } from "#connectors/toolkit/simulator/lfs-server.ts";
import { git } from "#connectors/toolkit/simulator/plain-git.ts";
import { gitlabForTest, temporaryFolder } from "./test-world.ts";

const HOME = "nora-lindqvist";
const MEDIA_TYPE = "application/vnd.git-lfs+json";
type Action = { href: string; header?: Record<string, string> };
type Answer = { objects: { actions?: Record<string, Action>; error?: { code: number } }[] };

test("a pointer is pushed after its file, which is returned by a signed URL, and readers cannot write", async () => {
  const gitlab = await gitlabForTest();
  const project = gitlab.project(`${HOME}/pictures`);
  const bytes = Buffer.from("a picture of a crane");
  const object = { oid: createHash("sha256").update(bytes).digest("hex"), size: bytes.length };
  const batch = (token: string, operation: string) =>
    fetch(`${gitlab.url}/${HOME}/pictures.git/info/lfs/objects/batch`, {
      method: "POST",
      headers: {
        Accept: MEDIA_TYPE,
        "Content-Type": MEDIA_TYPE,
        Authorization: `Basic ${Buffer.from(`oauth2:${token}`).toString("base64")}`,
      },
      body: JSON.stringify({ operation, transfers: ["basic"], objects: [object] }),
    });
  const ask = async (operation: string) =>
    ((await (await batch(gitlab.tokenOf(HOME), operation)).json()) as Answer).objects[0];
  const folder = temporaryFolder();
  await git(folder, "init", "--quiet", "--initial-branch=main");
  writeFileSync(path.join(folder, "crane.png"), lfsPointer(object.oid, object.size));
  await git(folder, "add", ".");
  await git(folder, "commit", "--quiet", "-m", "Picture");
  const remote = gitlab.remote(`${HOME}/pictures`, gitlab.tokenOf(HOME));
  expect((await git(folder, "push", remote, "main")).stderr).toContain("LFS objects are missing");
  expect((await ask("download"))?.error?.code).toBe(404);
  expect((await batch(gitlab.tokenOf(HOME, ["read_repository"]), "upload")).status).toBe(403);
  const actions = (await ask("upload"))?.actions;
  const send = (action: Action | undefined, method: string, body: string | Uint8Array<ArrayBuffer>) =>
    fetch(action?.href ?? "", { method, headers: action?.header ?? {}, body });
  expect((await send(actions?.upload, "PUT", new Uint8Array(bytes))).status).toBe(200);
  expect((await send(actions?.verify, "POST", JSON.stringify(object))).status).toBe(200);
  const download = (await ask("download"))?.actions?.download;
  expect(await (await fetch(download?.href ?? "")).text()).toBe("a picture of a crane");
  expect((await git(folder, "push", remote, "main")).code).toBe(0);
  const shown = await gitlab.client().Projects.show(project.id, { statistics: true });
  expect(shown.statistics).toMatchObject({ lfs_objects_size: object.size });
});
