import { Hono } from "hono";
import { z } from "zod";
import { reachOf } from "../access.ts";
import { linkOf, signPicture } from "../attachments.ts";
import { lookUpRepository } from "../repositories.ts";
import type { GithubWorld } from "../state.ts";
import { type RestEnv, readBody } from "./answers.ts";

const order = z.object({
  text: z.string().max(400_000),
  mode: z.enum(["markdown", "gfm"]).optional(),
  context: z.string().optional(),
});

/**
 * `/markdown`, which renders only pictures. Attached pictures of a repository that the viewer may read get URLs that
 * work without signing in. Links to other files stay unchanged.
 */
export function markdownRoutes(world: GithubWorld): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  app.post("/markdown", async (c) => {
    const body = await readBody(c, world, order);
    if (body instanceof Response) return body;
    const [owner = "", name = ""] = (body.context ?? "").split("/");
    const lookup = lookUpRepository(world, owner, name);
    const isSeen = lookup.kind !== "missing" && reachOf(world, c.get("viewer"), lookup.repository) !== "none";
    const html = [...body.text.matchAll(/!\[[^\]]*\]\(([^)\s]+)\)/g)].map(([, link = ""]) => {
      const attachment = world.state.attachments.find((one) => one.isPicture && linkOf(world, one) === link);
      const isOwn = isSeen && attachment?.repositoryId === lookup.repository.id;
      const source = attachment !== undefined && isOwn ? signPicture(world, attachment) : link;
      const escaped = source.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
      return `<p><a target="_blank" rel="noopener noreferrer" href="${escaped}"><img src="${escaped}" alt=""></a></p>`;
    });
    return c.html(html.join("\n"));
  });
  return app;
}
