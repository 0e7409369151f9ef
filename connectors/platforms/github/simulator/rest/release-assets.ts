import { Hono } from "hono";
import { z } from "zod";
import { dropAsset, receiveAsset, signAsset } from "../asset-files.ts";
import type { Release, ReleaseAsset } from "../records.ts";
import { renderAsset } from "../render-release.ts";
import { type GithubWorld, nextId, timestamp } from "../state.ts";
import { notFound, page, problem, type RestEnv, readBody } from "./answers.ts";
import { invalid } from "./issues.ts";
import { isShown, withRelease } from "./releases.ts";
import { type Asked, type RouteNeeds, repositoryRouter } from "./repository-route.ts";

const READ: RouteNeeds = { permission: "contents", reach: "read" };
const WRITE: RouteNeeds = { permission: "contents", reach: "write" };
const ONE = "/releases/assets/:asset{[0-9]+}";
/** An asset must be smaller than 2 GiB. */
const SIZE_LIMIT = 2 * 1024 ** 3;

/** Release assets, except their upload, which has its own host. */
export function releaseAssetRoutes(world: GithubWorld): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  const route = repositoryRouter(app, world);
  route("GET", "/releases/:release{[0-9]+}/assets", READ, (asked) =>
    withRelease(asked, (release) =>
      page(asked.c, world, release.assets, (asset) => renderAsset(world, asked.repository, release, asset), {
        path: `/repositories/${asked.repository.id}/releases/${release.id}/assets`,
      }),
    ),
  );
  // Metadata is JSON. The bytes are on another host, behind a link that expires.
  route("GET", ONE, READ, (asked) =>
    withAsset(asked, (release, asset) => {
      const { c, repository } = asked;
      if (!c.req.header("accept")?.includes("application/octet-stream")) {
        return c.json(renderAsset(world, repository, release, asset));
      }
      asset.downloads += 1;
      asked.save();
      return c.redirect(signAsset(world, asset), 302);
    }),
  );
  route("PATCH", ONE, WRITE, (asked) =>
    withAsset(asked, async (release, asset) => {
      const schema = z.object({
        name: z.string().optional(),
        label: z.string().optional(),
        state: z.string().optional(),
      });
      const body = await readBody(asked.c, world, schema);
      if (body instanceof Response) return body;
      asset.name = body.name ?? asset.name;
      asset.label = body.label ?? asset.label;
      asset.updatedAt = timestamp();
      asked.save();
      return asked.c.json(renderAsset(world, asked.repository, release, asset));
    }),
  );
  route("DELETE", ONE, WRITE, (asked) =>
    withAsset(asked, (release, asset) => {
      release.assets = release.assets.filter((known) => known !== asset);
      dropAsset(world, asset);
      asked.save();
      return asked.c.body(null, 204);
    }),
  );
  return app;
}

/** The routes of a release's `upload_url`. */
export function uploadRoutes(world: GithubWorld): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  const route = repositoryRouter(app, world);
  route("POST", "/releases/:release{[0-9]+}/assets", WRITE, (asked) =>
    withRelease(asked, (release) => upload(asked, release)),
  );
  return app;
}

function withAsset(
  asked: Asked,
  act: (release: Release, asset: ReleaseAsset) => Response | Promise<Response>,
): Response | Promise<Response> {
  const id = Number(asked.c.req.param("asset"));
  for (const release of asked.records.releases) {
    const asset = release.assets.find((known) => known.id === id);
    if (asset && isShown(asked, release)) return act(release, asset);
  }
  return notFound(asked.c);
}

async function upload(asked: Asked, release: Release): Promise<Response> {
  const { c, world, repository, login } = asked;
  const name = safeName(c.req.query("name") ?? "");
  const length = Number(c.req.header("content-length") ?? Number.NaN);
  // Bodies without a length and empty files are refused.
  if (!Number.isInteger(length) || length < 1) return problem(c, 400, "Bad Content-Length");
  if (!c.req.header("content-type")) return problem(c, 400, "Content-Type header required");
  if (name === "") return invalid(asked, { field: "name", code: "missing_field" }, "ReleaseAsset");
  if (release.assets.some((known) => known.name === name)) {
    return invalid(asked, { field: "name", code: "already_exists" }, "ReleaseAsset");
  }
  if (length >= SIZE_LIMIT) {
    const message = "size must be less than 2147483648";
    return invalid(asked, { field: "size", code: "custom", message }, "ReleaseAsset");
  }
  const id = nextId(world.state);
  const received = await receiveAsset(world, id, c.req.raw.body, length);
  const now = timestamp();
  const asset: ReleaseAsset = {
    id,
    name,
    label: c.req.query("label") ?? null,
    contentType: c.req.header("content-type") ?? "application/octet-stream",
    ...received,
    downloads: 0,
    createdAt: now,
    updatedAt: now,
    uploader: login,
  };
  release.assets.push(asset);
  asked.save();
  return c.json(renderAsset(world, repository, release, asset), 201);
}

/** GitHub replaces invalid characters. The returned name is the one to look for. */
function safeName(name: string): string {
  return name.replace(/[^\p{ASCII}]|[^A-Za-z0-9._+@-]/gu, ".").replace(/^\.+|\.+$/g, "");
}
