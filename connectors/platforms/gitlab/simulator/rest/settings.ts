import { Hono } from "hono";
import { z } from "zod";
import { LEVEL } from "../access.ts";
import {
  type GitlabWorld,
  type Hook,
  nextId,
  type ProtectedBranch,
  timestamp,
  type Variable,
} from "../state.ts";
import { type Body, notFound, problem, type RestEnv } from "./answers.ts";
import { page } from "./pages.ts";
import { bool, int, readParameters, text } from "./parameters.ts";
import { reachProject } from "./reach.ts";

const HOOK_EVENTS = [
  ...[
    "push_events",
    "issues_events",
    "confidential_issues_events",
    "merge_requests_events",
    "tag_push_events",
  ],
  ...["note_events", "confidential_note_events", "job_events", "pipeline_events", "wiki_page_events"],
  ...["deployment_events", "feature_flag_events", "releases_events", "milestone_events", "emoji_events"],
  ...["resource_access_token_events", "repository_update_events"],
];
const hookFields = {
  url: text,
  name: text.optional(),
  description: text.optional(),
  token: text.optional(),
  enable_ssl_verification: bool.optional(),
  push_events_branch_filter: text.optional(),
  ...Object.fromEntries(HOOK_EVENTS.map((name) => [name, bool.optional()])),
};
const variableFields = {
  value: text,
  variable_type: z.enum(["env_var", "file"]).optional(),
  protected: bool.optional(),
  masked: bool.optional(),
  masked_and_hidden: bool.optional(),
  raw: bool.optional(),
  environment_scope: text.optional(),
  description: text.nullable().optional(),
};
const protection = z.object({
  name: text,
  push_access_level: int.optional(),
  merge_access_level: int.optional(),
  unprotect_access_level: int.optional(),
  allow_force_push: bool.optional(),
  code_owner_approval_required: bool.optional(),
});

/** Variables and hooks of a project, which only maintainers may read, and protected branches. */
export function settingRoutes(world: GitlabWorld): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  variableRoutes(app, world);
  hookRoutes(app, world);
  protectionRoutes(app, world);
  return app;
}

function variableRoutes(app: Hono<RestEnv>, world: GitlabWorld): void {
  const base = "/projects/:id/variables";
  app.get(base, (c) => {
    const reached = reachProject(c, world, LEVEL.maintainer);
    return reached instanceof Response ? reached : page(c, world, reached.project.variables, renderVariable);
  });
  app.get(`${base}/:key`, (c) => {
    const reached = reachProject(c, world, LEVEL.maintainer);
    if (reached instanceof Response) return reached;
    const variable = reached.project.variables.find(({ key }) => key === c.req.param("key"));
    return variable ? c.json(renderVariable(variable)) : notFound(c, "Variable");
  });
  app.post(base, async (c) => {
    const reached = reachProject(c, world, LEVEL.maintainer);
    if (reached instanceof Response) return reached;
    const body = await readParameters(c, world, z.object({ ...variableFields, key: text }));
    if (body instanceof Response) return body;
    const { variables } = reached.project;
    const scope = body.environment_scope ?? "*";
    if (variables.some((known) => known.key === body.key && known.scope === scope)) {
      return problem(c, 400, { key: [`(${body.key}) has already been taken`] });
    }
    if (!/^[A-Za-z0-9_]{1,255}$/.test(body.key)) {
      return problem(c, 400, { key: ["can contain only letters, digits and '_'."] });
    }
    const variable: Variable = {
      key: body.key,
      value: body.value,
      type: body.variable_type ?? "env_var",
      isProtected: body.protected ?? false,
      isMasked: body.masked ?? body.masked_and_hidden ?? false,
      isHidden: body.masked_and_hidden ?? false,
      isRaw: body.raw ?? false,
      scope,
      description: body.description ?? null,
    };
    variables.push(variable);
    world.save();
    return c.json(renderVariable(variable), 201);
  });
  app.delete(`${base}/:key`, (c) => {
    const reached = reachProject(c, world, LEVEL.maintainer);
    if (reached instanceof Response) return reached;
    reached.project.variables = reached.project.variables.filter(({ key }) => key !== c.req.param("key"));
    world.save();
    return c.body(null, 204);
  });
}

/** A variable. The value of a hidden variable is never shown. */
function renderVariable(variable: Variable): Body {
  return {
    variable_type: variable.type,
    key: variable.key,
    value: variable.isHidden ? null : variable.value,
    hidden: variable.isHidden,
    protected: variable.isProtected,
    masked: variable.isMasked,
    raw: variable.isRaw,
    environment_scope: variable.scope,
    description: variable.description,
  };
}

function hookRoutes(app: Hono<RestEnv>, world: GitlabWorld): void {
  const base = "/projects/:id/hooks";
  app.get(base, (c) => {
    const reached = reachProject(c, world, LEVEL.maintainer);
    if (reached instanceof Response) return reached;
    return page(c, world, reached.project.hooks, (hook) => renderHook(hook, reached.project.id));
  });
  app.post(base, async (c) => {
    const reached = reachProject(c, world, LEVEL.maintainer);
    if (reached instanceof Response) return reached;
    const body: Record<string, unknown> | Response = await readParameters(c, world, z.object(hookFields));
    if (body instanceof Response) return body;
    if (!URL.canParse(String(body.url))) return problem(c, 422, "Invalid url given");
    const hook: Hook = {
      id: nextId(world.state),
      url: String(body.url),
      name: (body.name as string | undefined) ?? null,
      description: (body.description as string | undefined) ?? null,
      token: (body.token as string | undefined) ?? null,
      events: Object.fromEntries(
        HOOK_EVENTS.map((name) => [
          name,
          body[name] === true || (name === "push_events" && body[name] === undefined),
        ]),
      ),
      branchFilter: (body.push_events_branch_filter as string | undefined) ?? null,
      verifiesSsl: body.enable_ssl_verification !== false,
      createdAt: timestamp(),
    };
    reached.project.hooks.push(hook);
    world.save();
    return c.json(renderHook(hook, reached.project.id), 201);
  });
  app.delete(`${base}/:hook_id{[0-9]+}`, (c) => {
    const reached = reachProject(c, world, LEVEL.maintainer);
    if (reached instanceof Response) return reached;
    const { project } = reached;
    const hook = project.hooks.find(({ id }) => id === Number(c.req.param("hook_id")));
    if (!hook) return notFound(c);
    project.hooks = project.hooks.filter((known) => known !== hook);
    world.save();
    return c.body(null, 204);
  });
}

/** A webhook without its secret token. */
function renderHook(hook: Hook, projectId: number): Body {
  return {
    id: hook.id,
    url: hook.url,
    name: hook.name,
    description: hook.description,
    created_at: hook.createdAt,
    project_id: projectId,
    ...hook.events,
    enable_ssl_verification: hook.verifiesSsl,
    push_events_branch_filter: hook.branchFilter,
    branch_filter_strategy: "wildcard",
    alert_status: "executable",
    disabled_until: null,
    url_variables: [],
    custom_headers: [],
    custom_webhook_template: null,
  };
}

function protectionRoutes(app: Hono<RestEnv>, world: GitlabWorld): void {
  const base = "/projects/:id/protected_branches";
  app.get(base, (c) => {
    const reached = reachProject(c, world, LEVEL.developer);
    return reached instanceof Response
      ? reached
      : page(c, world, reached.project.protectedBranches, renderProtection);
  });
  app.get(`${base}/:name`, (c) => {
    const reached = reachProject(c, world, LEVEL.developer);
    if (reached instanceof Response) return reached;
    const rule = reached.project.protectedBranches.find(({ name }) => name === c.req.param("name"));
    return rule ? c.json(renderProtection(rule)) : notFound(c);
  });
  app.post(base, async (c) => {
    const reached = reachProject(c, world, LEVEL.maintainer);
    if (reached instanceof Response) return reached;
    const body = await readParameters(c, world, protection);
    if (body instanceof Response) return body;
    const { protectedBranches } = reached.project;
    if (protectedBranches.some(({ name }) => name === body.name)) {
      return problem(c, 409, `Protected branch '${body.name}' already exists`);
    }
    const rule = {
      id: nextId(world.state),
      name: body.name,
      pushLevel: body.push_access_level ?? LEVEL.maintainer,
      mergeLevel: body.merge_access_level ?? LEVEL.maintainer,
      allowsForcePush: body.allow_force_push ?? false,
    };
    protectedBranches.push(rule);
    world.save();
    return c.json(renderProtection(rule), 201);
  });
  app.patch(`${base}/:name`, async (c) => {
    const reached = reachProject(c, world, LEVEL.maintainer);
    if (reached instanceof Response) return reached;
    const rule = reached.project.protectedBranches.find(({ name }) => name === c.req.param("name"));
    if (!rule) return notFound(c);
    const body = await readParameters(
      c,
      world,
      z.object({ allow_force_push: bool.optional(), code_owner_approval_required: bool.optional() }),
    );
    if (body instanceof Response) return body;
    rule.allowsForcePush = body.allow_force_push ?? rule.allowsForcePush;
    world.save();
    return c.json(renderProtection(rule));
  });
  app.delete(`${base}/:name`, (c) => {
    const reached = reachProject(c, world, LEVEL.maintainer);
    if (reached instanceof Response) return reached;
    const { project } = reached;
    const rule = project.protectedBranches.find(({ name }) => name === c.req.param("name"));
    if (!rule) return notFound(c);
    project.protectedBranches = project.protectedBranches.filter((known) => known !== rule);
    world.save();
    return c.body(null, 204);
  });
}

const LEVEL_NAMES: Record<number, string> = {
  0: "No one",
  30: "Developers + Maintainers",
  40: "Maintainers",
};

function renderProtection(rule: ProtectedBranch): Body {
  const level = (id: number, access: number) => ({
    id,
    access_level: access,
    access_level_description: LEVEL_NAMES[access] ?? String(access),
    user_id: null,
    group_id: null,
  });
  return {
    id: rule.id,
    name: rule.name,
    push_access_levels: [level(rule.id + 1, rule.pushLevel)],
    merge_access_levels: [level(rule.id + 2, rule.mergeLevel)],
    unprotect_access_levels: [],
    allow_force_push: rule.allowsForcePush,
    code_owner_approval_required: false,
    inherited: false,
  };
}
