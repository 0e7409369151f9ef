import { Hono } from "hono";
import { z } from "zod";
import type { Label } from "../records.ts";
import { renderLabel } from "../render-issue.ts";
import { type GithubWorld, nextId } from "../state.ts";
import { notFound, page, type RestEnv, readBody } from "./answers.ts";
import { type FieldFault, invalid } from "./issues.ts";
import { inOrder } from "./lists.ts";
import { type Asked, type RouteNeeds, repositoryRouter } from "./repository-route.ts";

const creation = z.object({
  name: z.string(),
  color: z.string().optional(),
  description: z.string().nullable().optional(),
});
const change = z.object({
  new_name: z.string().optional(),
  color: z.string().optional(),
  description: z.string().nullable().optional(),
});

const READ: RouteNeeds = { permission: "issues", reach: "read" };
const WRITE: RouteNeeds = { permission: "issues", reach: "write" };

/** `/repos/…/labels`. Names ignore case, may contain any character, and are percent-encoded in paths. */
export function labelRoutes(world: GithubWorld): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  const route = repositoryRouter(app, world);
  route("GET", "/labels", READ, ({ c, repository, records }) =>
    page(
      c,
      world,
      inOrder(records.labels, ({ name }) => name.toLowerCase(), "asc"),
      (label) => renderLabel(world, repository, label),
      { path: `/repositories/${repository.id}/labels` },
    ),
  );
  route("POST", "/labels", WRITE, async (asked) => {
    const body = await readBody(asked.c, world, creation);
    if (body instanceof Response) return body;
    const fault = labelFault(asked.records.labels, body, null);
    if (fault) return invalid(asked, fault, "Label");
    const label: Label = {
      id: nextId(world.state),
      name: body.name,
      color: (body.color ?? "ededed").toLowerCase(),
      description: body.description ?? null,
      isDefault: false,
    };
    asked.records.labels.push(label);
    asked.save();
    return asked.c.json(renderLabel(world, asked.repository, label), 201);
  });
  route("GET", "/labels/:name", READ, (asked) =>
    withLabel(asked, (label) => asked.c.json(renderLabel(world, asked.repository, label))),
  );
  route("PATCH", "/labels/:name", WRITE, edit);
  route("DELETE", "/labels/:name", WRITE, (asked) =>
    withLabel(asked, (label) => {
      asked.records.labels = asked.records.labels.filter((known) => known !== label);
      for (const issue of asked.records.issues) {
        issue.labelIds = issue.labelIds.filter((id) => id !== label.id);
      }
      asked.save();
      return asked.c.body(null, 204);
    }),
  );
  return app;
}

function withLabel(
  asked: Asked,
  act: (label: Label) => Response | Promise<Response>,
): Response | Promise<Response> {
  const name = asked.c.req.param("name")?.toLowerCase();
  const label = asked.records.labels.find((known) => known.name.toLowerCase() === name);
  return label ? act(label) : notFound(asked.c);
}

function edit(asked: Asked): Response | Promise<Response> {
  return withLabel(asked, async (label) => {
    const body = await readBody(asked.c, asked.world, change);
    if (body instanceof Response) return body;
    const fault = labelFault(asked.records.labels, { ...body, name: body.new_name ?? label.name }, label);
    if (fault) return invalid(asked, fault, "Label");
    label.name = body.new_name ?? label.name;
    label.color = (body.color ?? label.color).toLowerCase();
    if (body.description !== undefined) label.description = body.description;
    asked.save();
    return asked.c.json(renderLabel(asked.world, asked.repository, label));
  });
}

function labelFault(
  labels: readonly Label[],
  wanted: { name: string; color?: string; description?: string | null },
  self: Label | null,
): FieldFault | null {
  const name = wanted.name.trim();
  if (name === "" || name.length > 50) return { field: "name", code: "invalid" };
  const twin = labels.find((known) => known.name.toLowerCase() === name.toLowerCase());
  if (twin && twin !== self) return { field: "name", code: "already_exists" };
  // The colour has no number sign.
  if (wanted.color !== undefined && !/^[0-9a-f]{6}$/i.test(wanted.color)) {
    return { field: "color", code: "invalid" };
  }
  if ((wanted.description ?? "").length > 100) {
    const message = "description is too long (maximum is 100 characters)";
    return { field: "description", code: "custom", message };
  }
  return null;
}
