import { Hono } from "hono";
import { z } from "zod";
import { reachOf } from "../access.ts";
import { renderRepository } from "../render.ts";
import { listRepositories } from "../repositories.ts";
import type { GithubWorld } from "../state.ts";
import { page, type RestEnv, readQuery } from "./answers.ts";
import { sorted } from "./users.ts";

const query = z.object({
  q: z.string().min(1),
  sort: z.enum(["stars", "forks", "help-wanted-issues", "updated"]).optional(),
  order: z.enum(["asc", "desc"]).optional(),
});

/** `/search/repositories`: words in the name or description, `user:` and `org:` qualifiers. */
export function searchRoutes(world: GithubWorld): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  app.get("/search/repositories", (c) => {
    const asked = readQuery(c, world, query);
    if (asked instanceof Response) return asked;
    const terms = asked.q
      .toLowerCase()
      .split(/[\s+]+/)
      .filter((term) => term !== "");
    const owners = terms.flatMap((term) => /^(?:user|org):(.+)$/.exec(term)?.[1] ?? []);
    const words = terms.filter((term) => !term.includes(":"));
    const viewer = c.get("viewer");
    const found = listRepositories(world).filter((repository) => {
      if (reachOf(world, viewer, repository) === "none") return false;
      if (owners.length > 0 && !owners.includes(repository.owner.toLowerCase())) return false;
      const text = `${repository.name} ${repository.description ?? ""}`.toLowerCase();
      return words.every((word) => text.includes(word));
    });
    const order = { sort: "updated" as const, direction: asked.order };
    return page(
      c,
      world,
      sorted(world, found, order),
      (repository) => ({ ...renderRepository(world, viewer, repository), score: 1 }),
      { envelope: (items) => ({ total_count: found.length, incomplete_results: false, items }) },
    );
  });
  return app;
}
