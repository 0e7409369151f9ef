import type { Hono } from "hono";
import { z } from "zod";
import { type GitlabWorld, nextId, timestamp } from "../state.ts";
import { notFound, problem, type RestContext, type RestEnv } from "./answers.ts";
import type { Noteable } from "./noteables.ts";
import { page } from "./pages.ts";
import { readParameters, text } from "./parameters.ts";
import { requireUser } from "./reach.ts";
import { renderAward } from "./render-issuable.ts";

/** Emoji reactions to a thing and to its notes. */
export function awardRoutes(
  app: Hono<RestEnv>,
  world: GitlabWorld,
  base: string,
  reach: (c: RestContext) => Noteable | Response,
): void {
  for (const path of [`${base}/award_emoji`, `${base}/notes/:note_id{[0-9]+}/award_emoji`]) {
    const reachAwards = (c: RestContext) => {
      const of = reach(c);
      if (of instanceof Response) return of;
      const noteId = c.req.param("note_id");
      if (noteId === undefined) return { awards: of.thing.awards, on: { id: of.id, type: of.kind } };
      const note = of.thing.notes.find(({ id }) => id === Number(noteId));
      return note ? { awards: note.awards, on: { id: note.id, type: "Note" } } : notFound(c, "Note");
    };
    app.get(path, (c: RestContext) => {
      const found = reachAwards(c);
      if (found instanceof Response) return found;
      return page(c, world, found.awards, (award) => renderAward(world, award, found.on));
    });
    app.post(path, async (c: RestContext) => {
      const found = reachAwards(c);
      if (found instanceof Response) return found;
      const user = requireUser(c);
      if (user instanceof Response) return user;
      const body = await readParameters(c, world, z.object({ name: text }));
      if (body instanceof Response) return body;
      const isTaken = found.awards.some(({ name, userId }) => name === body.name && userId === user.id);
      if (isTaken) return problem(c, 404, "404 Award Emoji Name has already been taken Not Found");
      const at = timestamp();
      const award = {
        id: nextId(world.state),
        name: body.name,
        userId: user.id,
        createdAt: at,
        updatedAt: at,
      };
      found.awards.push(award);
      world.save();
      return c.json(renderAward(world, award, found.on), 201);
    });
    app.delete(`${path}/:award_id{[0-9]+}`, (c: RestContext) => {
      const found = reachAwards(c);
      if (found instanceof Response) return found;
      const index = found.awards.findIndex(({ id }) => id === Number(c.req.param("award_id")));
      if (index < 0) return notFound(c, "Award Emoji");
      found.awards.splice(index, 1);
      world.save();
      return c.body(null, 204);
    });
  }
}
