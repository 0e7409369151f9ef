import { Hono } from "hono";
import { z } from "zod";
import { type Body, nodeId } from "../render.ts";
import { repositoryUrl } from "../render-issue.ts";
import { fullName } from "../repositories.ts";
import { type GithubWorld, nextId, type Repository, timestamp } from "../state.ts";
import { notFound, page, type RestEnv, readBody } from "./answers.ts";
import { planRefusal } from "./branch-protection.ts";
import { invalid } from "./issues.ts";
import { type RouteNeeds, repositoryRouter } from "./repository-route.ts";

const order = z.looseObject({ name: z.string() });
const READ: RouteNeeds = { permission: "metadata", reach: "read" };
const WRITE: RouteNeeds = { permission: "administration", reach: "admin", isHidden: true };
const ONE = "/rulesets/:ruleset{[0-9]+}";

/** `/repos/…/rulesets`. Lists omit rules and conditions, so clients request each ruleset by id. */
export function rulesetRoutes(world: GithubWorld): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  const route = repositoryRouter(app, world);
  route("GET", "/rulesets", READ, (asked) => {
    const { c, repository, records } = asked;
    return (
      planRefusal(asked) ??
      page(c, world, records.settings.rulesets, (ruleset) =>
        renderRuleset(world, repository, ruleset, "list"),
      )
    );
  });
  route("GET", ONE, READ, (asked) => {
    const { c, repository, records } = asked;
    const ruleset = records.settings.rulesets.find(({ id }) => id === Number(c.req.param("ruleset")));
    const refusal = planRefusal(asked);
    if (refusal) return refusal;
    return ruleset ? c.json(renderRuleset(world, repository, ruleset, "single")) : notFound(c);
  });
  route("POST", "/rulesets", WRITE, async (asked) => {
    const { c, repository, records } = asked;
    const refusal = planRefusal(asked);
    if (refusal) return refusal;
    const body = await readBody(c, world, order);
    if (body instanceof Response) return body;
    if (records.settings.rulesets.some(({ name }) => name === body.name)) {
      return invalid(asked, { field: "name", code: "custom", message: "Name must be unique" }, "Ruleset");
    }
    const now = timestamp();
    const ruleset = { ...body, id: nextId(world.state), createdAt: now, updatedAt: now };
    records.settings.rulesets.push(ruleset);
    asked.save();
    return c.json(renderRuleset(world, repository, ruleset, "single"), 201);
  });
  route("DELETE", ONE, WRITE, (asked) => {
    const id = Number(asked.c.req.param("ruleset"));
    const { settings } = asked.records;
    settings.rulesets = settings.rulesets.filter((ruleset) => ruleset.id !== id);
    asked.save();
    return asked.c.body(null, 204);
  });
  return app;
}

function renderRuleset(
  world: GithubWorld,
  repository: Repository,
  kept: Record<string, unknown> & { id: number; createdAt: string; updatedAt: string },
  view: "list" | "single",
): Body {
  const self = `${repositoryUrl(world, repository)}/rulesets/${kept.id}`;
  return {
    id: kept.id,
    name: kept.name,
    target: kept.target ?? "branch",
    source_type: "Repository",
    source: fullName(repository),
    enforcement: kept.enforcement,
    node_id: nodeId("RRS", kept.id),
    created_at: kept.createdAt,
    updated_at: kept.updatedAt,
    _links: {
      self: { href: self },
      html: { href: `${world.webUrl}/${fullName(repository)}/rules/${kept.id}` },
    },
    ...(view === "single"
      ? {
          conditions: kept.conditions ?? { ref_name: { include: [], exclude: [] } },
          rules: kept.rules ?? [],
          bypass_actors: kept.bypass_actors ?? [],
          current_user_can_bypass: "never",
        }
      : {}),
  };
}
