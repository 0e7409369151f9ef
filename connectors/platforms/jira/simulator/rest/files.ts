import { Hono } from "hono";
import { attachFile, deleteAttachment } from "../issue-parts.ts";
import { hasPermission } from "../permissions.ts";
import { forbidden, invalid, Refused } from "../refused.ts";
import { renderAttachment } from "../render-parts.ts";
import { projectOf } from "../store.ts";
import { attachmentIn } from "./issue-parts.ts";
import { issueFor, type RestEnv } from "./reach.ts";

/** Attaching and deleting files. */
export function fileRoutes(): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  app.post("/issue/:key/attachments", async (c) => {
    const viewer = c.get("viewer");
    // Without this header the request could come from a form of another site.
    if (c.req.header("x-atlassian-token") !== "no-check") throw forbidden("XSRF check failed");
    const issue = issueFor(viewer, c.req.param("key"), "CREATE_ATTACHMENTS");
    if (!c.req.header("content-type")?.startsWith("multipart/form-data")) throw new Refused(415, null);
    const { file } = await c.req.parseBody({ all: true });
    const files = (Array.isArray(file) ? file : [file]).filter((one) => one instanceof File);
    if (files.length === 0) throw invalid("No file was sent: its part must be called 'file'.");
    if (files.some(({ size }) => size > viewer.world.settings.attachmentBytes)) {
      throw new Refused(413, "The file exceeds the maximum size of attachments.");
    }
    const made = [];
    for (const one of files) {
      const bytes = new Uint8Array(await one.arrayBuffer());
      const mimeType = one.type || "application/octet-stream";
      made.push(
        attachFile(viewer.world, viewer.site, viewer.person.accountId, {
          issue,
          fileName: one.name,
          mimeType,
          bytes,
        }),
      );
    }
    return c.json(made.map((attachment) => renderAttachment(viewer, attachment)));
  });
  app.delete("/attachment/:id", (c) => {
    const viewer = c.get("viewer");
    const { issue, attachment } = attachmentIn(viewer, c.req.param("id"));
    const isOwn = attachment.authorId === viewer.person.accountId;
    if (!isOwn && !hasPermission(viewer, "DELETE_ALL_ATTACHMENTS", projectOf(viewer.site, issue), issue)) {
      throw forbidden("You do not have permission to delete this attachment.");
    }
    deleteAttachment(viewer.world, viewer.site, viewer.person.accountId, issue, attachment);
    return c.body(null, 204);
  });
  return app;
}
