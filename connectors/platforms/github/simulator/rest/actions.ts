import { Hono } from "hono";
import { z } from "zod";
import type { Environment } from "../records.ts";
import { type Body, nodeId } from "../render.ts";
import { renderLogin, repositoryUrl } from "../render-issue.ts";
import { fullName } from "../repositories.ts";
import { findAccount, type GithubWorld, nextId, type Repository, timestamp } from "../state.ts";
import { notFound, page, problem, type RestEnv, readBody } from "./answers.ts";
import { type RepositoryRouter, type RouteNeeds, repositoryRouter } from "./repository-route.ts";

const variableOrder = z.strictObject({ name: z.string(), value: z.string() });
const environmentOrder = z.object({
  wait_timer: z.number().int().min(0).max(43_200).optional(),
  prevent_self_review: z.boolean().optional(),
  reviewers: z
    .array(z.object({ type: z.enum(["User", "Team"]), id: z.number().int() }))
    .nullable()
    .optional(),
  deployment_branch_policy: z
    .object({ protected_branches: z.boolean(), custom_branch_policies: z.boolean() })
    .nullable()
    .optional(),
});
const SECRETS: RouteNeeds = { permission: "secrets", reach: "admin", isHidden: true };
/** Dependabot secrets have their own permission (docs: permissions required for GitHub Apps, "Dependabot secrets"). */
const DEPENDABOT: RouteNeeds = { permission: "dependabot_secrets", reach: "admin", isHidden: true };
const VARIABLES: RouteNeeds = { permission: "actions_variables", reach: "admin", isHidden: true };
/**
 * Secrets and variables of one environment need "Environments"; the list of environments needs "Actions" (same
 * document).
 */
const IN_ENVIRONMENT: RouteNeeds = { permission: "environments", reach: "admin", isHidden: true };
const ENVIRONMENTS: RouteNeeds = { permission: "actions", reach: "read" };
const CONFIGURE: RouteNeeds = { permission: "administration", reach: "admin", isHidden: true };

/** Secrets (names only), variables and environments. */
export function actionsRoutes(world: GithubWorld): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  const route = repositoryRouter(app, world);
  const dated = <T extends { createdAt: string; updatedAt: string }>({
    createdAt,
    updatedAt,
    ...rest
  }: T) => ({
    ...rest,
    created_at: createdAt,
    updated_at: updatedAt,
  });
  environmentRoutes(world, route);
  // GitHub never returns a secret's value, only its name and times.
  route("GET", "/actions/secrets", SECRETS, ({ c, records: { settings } }) =>
    page(c, world, settings.secrets, dated, {
      envelope: (secrets) => ({ total_count: settings.secrets.length, secrets }),
    }),
  );
  route("GET", "/dependabot/secrets", DEPENDABOT, ({ c }) => c.json({ total_count: 0, secrets: [] }));
  route("GET", "/actions/variables", VARIABLES, ({ c, records: { settings } }) =>
    page(c, world, settings.variables, dated, {
      envelope: (variables) => ({ total_count: settings.variables.length, variables }),
    }),
  );
  route("POST", "/actions/variables", VARIABLES, async ({ c, records, save }) => {
    const body = await readBody(c, world, variableOrder);
    if (body instanceof Response) return body;
    const name = body.name.toUpperCase();
    if (records.settings.variables.some((known) => known.name === name)) {
      return problem(c, 409 as 422, "Already exists - Variable already exists");
    }
    const now = timestamp();
    records.settings.variables.push({ name, value: body.value, createdAt: now, updatedAt: now });
    save();
    return c.json({}, 201);
  });
  route("GET", "/actions/permissions", CONFIGURE, ({ c, repository }) =>
    c.json({ enabled: repository.isActionsEnabled, allowed_actions: "all" }),
  );
  return app;
}

function environmentRoutes(world: GithubWorld, route: RepositoryRouter): void {
  route("GET", "/environments", ENVIRONMENTS, ({ c, repository, records: { settings } }) =>
    page(c, world, settings.environments, (each) => renderEnvironment(world, repository, each), {
      envelope: (environments) => ({ total_count: settings.environments.length, environments }),
    }),
  );
  route("GET", "/environments/:environment", ENVIRONMENTS, ({ c, repository, records: { settings } }) => {
    const found = settings.environments.find(({ name }) => name === c.req.param("environment"));
    return found ? c.json(renderEnvironment(world, repository, found)) : notFound(c);
  });
  route("PUT", "/environments/:environment", CONFIGURE, async ({ c, repository, records, save }) => {
    const hasBody = Number(c.req.header("content-length") ?? "0") > 0;
    const body = hasBody ? await readBody(c, world, environmentOrder.nullable()) : null;
    if (body instanceof Response) return body;
    const { environments } = records.settings;
    const name = c.req.param("environment") ?? "";
    const kept = environments.find((known) => known.name === name) ?? fresh(world, name);
    if (!environments.includes(kept)) environments.push(kept);
    kept.waitMinutes = body?.wait_timer ?? 0;
    kept.policy = body?.deployment_branch_policy ?? null;
    kept.reviewers = (body?.reviewers ?? []).flatMap(
      ({ id }) => world.state.accounts.find((account) => account.id === id)?.login ?? [],
    );
    kept.updatedAt = timestamp();
    save();
    return c.json(renderEnvironment(world, repository, kept));
  });
  route("GET", "/environments/:environment/secrets", IN_ENVIRONMENT, ({ c, records: { settings } }) => {
    const found = settings.environments.find(({ name }) => name === c.req.param("environment"));
    if (!found) return notFound(c);
    const { createdAt: created_at, updatedAt: updated_at } = found;
    const shown = found.secrets.map((name) => ({ name, created_at, updated_at }));
    return c.json({ total_count: shown.length, secrets: shown });
  });
  route("GET", "/environments/:environment/variables", IN_ENVIRONMENT, ({ c, records: { settings } }) => {
    const found = settings.environments.find(({ name }) => name === c.req.param("environment"));
    if (!found) return notFound(c);
    const variables = Object.entries(found.variables).map(([name, value]) => ({
      name,
      value,
      created_at: found.createdAt,
      updated_at: found.updatedAt,
    }));
    return c.json({ total_count: variables.length, variables });
  });
}

function fresh(world: GithubWorld, name: string): Environment {
  const now = timestamp();
  const none = { waitMinutes: 0, reviewers: [], policy: null, secrets: [], variables: {} };
  return { id: nextId(world.state), name, ...none, createdAt: now, updatedAt: now };
}

function renderEnvironment(world: GithubWorld, repository: Repository, environment: Environment): Body {
  const { id, name, waitMinutes, reviewers, policy } = environment;
  const rule = (type: string, more: Body) => ({ id: id * 10, node_id: nodeId("GA", id), type, ...more });
  return {
    id,
    node_id: nodeId("EN", id),
    name,
    url: `${repositoryUrl(world, repository)}/environments/${encodeURIComponent(name)}`,
    html_url: `${world.webUrl}/${fullName(repository)}/deployments/activity_log?environments_filter=${encodeURIComponent(name)}`,
    created_at: environment.createdAt,
    updated_at: environment.updatedAt,
    can_admins_bypass: true,
    protection_rules: [
      ...(waitMinutes > 0 ? [rule("wait_timer", { wait_timer: waitMinutes })] : []),
      ...(reviewers.length > 0
        ? [
            rule("required_reviewers", {
              prevent_self_review: false,
              reviewers: reviewers
                .filter((login) => findAccount(world, login))
                .map((login) => ({ type: "User", reviewer: renderLogin(world, login) })),
            }),
          ]
        : []),
      ...(policy ? [rule("branch_policy", {})] : []),
    ],
    deployment_branch_policy: policy,
  };
}
