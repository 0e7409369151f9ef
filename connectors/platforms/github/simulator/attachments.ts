import { createHmac, randomUUID, timingSafeEqual } from "node:crypto";
import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import { type Context, Hono } from "hono";
import { assetFile, writeAsset } from "./asset-files.ts";
import { type Attachment, type GithubWorld, nextId, type Repository } from "./state.ts";

/** Attaches a file, like dropping it into a text. @returns the link for the text */
export function attachFile(
  world: GithubWorld,
  repository: Repository,
  { name, contentType, bytes }: { name: string; contentType: string; bytes: Uint8Array },
): string {
  const attachment: Attachment = {
    id: nextId(world.state),
    uuid: randomUUID(),
    isPicture: /^(image|video)\//.test(contentType),
    ...{ name, contentType, size: bytes.length, repositoryId: repository.id },
  };
  writeAsset(world, attachment.id, bytes);
  world.state.attachments.push(attachment);
  world.save();
  return linkOf(world, attachment);
}

/** The link to an attached file, as it appears in texts. */
export function linkOf(world: GithubWorld, { id, uuid, name, isPicture }: Attachment): string {
  const path = isPicture ? `assets/${uuid}` : `files/${id}/${encodeURIComponent(name)}`;
  return `${world.webUrl}/user-attachments/${path}`;
}

/** Returns a URL that serves a picture to anyone, for `downloadMs`. */
export function signPicture(world: GithubWorld, { id, uuid, contentType }: Attachment): string {
  const until = String(Date.now() + world.settings.downloadMs);
  const ending = contentType.split("/")[1] ?? "bin";
  return `${world.webUrl}/private-user-images/${id}-${uuid}.${ending}?jwt=${until}.${seal(world, uuid, until)}`;
}

/**
 * The web site's routes for attached files. GitHub's web site accepts browser cookies but no API tokens, so files of
 * private repositories return 404 here.
 */
export function attachmentPages(world: GithubWorld): Hono {
  const app = new Hono();
  const open = (c: Context, attachment: Attachment | undefined) => {
    const repository = world.state.repositories.find(({ id }) => id === attachment?.repositoryId);
    if (attachment === undefined || repository?.visibility !== "public") return c.notFound();
    return c.redirect(`${world.webUrl}/user-attachments/stored/${attachment.id}`, 302);
  };
  app.get("/user-attachments/assets/:uuid", (c) =>
    open(
      c,
      world.state.attachments.find(({ uuid }) => uuid === c.req.param("uuid")),
    ),
  );
  app.get("/user-attachments/files/:id{[0-9]+}/:name", (c) =>
    open(
      c,
      world.state.attachments.find(({ id }) => id === Number(c.req.param("id"))),
    ),
  );
  app.get("/user-attachments/stored/:id{[0-9]+}", (c) =>
    bytesOf(
      c,
      world,
      world.state.attachments.find(({ id }) => id === Number(c.req.param("id"))),
    ),
  );
  app.get("/private-user-images/:file", (c) => {
    const attachment = world.state.attachments.find(({ uuid }) => c.req.param("file").includes(uuid));
    const [until = "", given = ""] = (c.req.query("jwt") ?? "").split(".");
    const wanted = attachment === undefined ? "" : seal(world, attachment.uuid, until);
    const isSealed =
      given.length === wanted.length && timingSafeEqual(Buffer.from(given), Buffer.from(wanted));
    if (!isSealed || Number(until) <= Date.now()) return c.notFound();
    return bytesOf(c, world, attachment);
  });
  return app;
}

function bytesOf(
  c: Context,
  world: GithubWorld,
  attachment: Attachment | undefined,
): Response | Promise<Response> {
  if (attachment === undefined) return c.notFound();
  const bytes = Readable.toWeb(createReadStream(assetFile(world, attachment.id))) as ReadableStream;
  return new Response(bytes, {
    headers: { "Content-Type": attachment.contentType, "Content-Length": String(attachment.size) },
  });
}

function seal(world: GithubWorld, uuid: string, until: string): string {
  return createHmac("sha256", world.settings.clientSecret).update(`${uuid} ${until}`).digest("hex");
}
