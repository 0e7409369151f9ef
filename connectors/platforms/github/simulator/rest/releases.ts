import { Hono } from "hono";
import { z } from "zod";
import { runGit } from "#connectors/toolkit/simulator/run-git.ts";
import { dropAsset } from "../asset-files.ts";
import { branchTip } from "../pull-git.ts";
import type { Release } from "../records.ts";
import { renderRelease } from "../render-release.ts";
import { defaultBranch, gitDirectory, listRefs } from "../repositories.ts";
import { type GithubWorld, nextId, timestamp } from "../state.ts";
import { notFound, page, type RestEnv, readBody } from "./answers.ts";
import { bodyFault, type FieldFault, invalid, mayPush } from "./issues.ts";
import { inOrder } from "./lists.ts";
import { type Asked, type RouteNeeds, repositoryRouter } from "./repository-route.ts";

/** Longest notes, by the message of a 422 ("body is too long (maximum is 125000 characters)", ncipollo/release-action#493). */
const BODY_LIMIT = 125_000;
const fields = {
  target_commitish: z.string().optional(),
  name: z.string().nullable().optional(),
  body: z.string().nullable().optional(),
  draft: z.boolean().optional(),
  prerelease: z.boolean().optional(),
  make_latest: z.enum(["true", "false", "legacy"]).optional(),
};
const creation = z.object({ ...fields, tag_name: z.string() });
const change = z.object({ ...fields, tag_name: z.string().optional() });

const READ: RouteNeeds = { permission: "contents", reach: "read" };
const WRITE: RouteNeeds = { permission: "contents", reach: "write" };
const ONE = "/releases/:release{[0-9]+}";

/** `/repos/…/releases`. Only people who may push see drafts. */
export function releaseRoutes(world: GithubWorld): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  const route = repositoryRouter(app, world);
  route("GET", "/releases", READ, (asked) => {
    const { c, repository, records } = asked;
    const seen = records.releases.filter((release) => isShown(asked, release));
    const ordered = inOrder(seen, ({ createdAt }) => createdAt, "desc");
    return page(c, world, ordered, (release) => renderRelease(world, repository, release), {
      path: `/repositories/${repository.id}/releases`,
    });
  });
  route("POST", "/releases", { ...WRITE, isContent: true }, create);
  route("GET", "/releases/latest", READ, (asked) => {
    const { c, repository, records } = asked;
    const public_ = records.releases.filter(({ isDraft, isPrerelease }) => !isDraft && !isPrerelease);
    const latest = inOrder(public_, ({ createdAt }) => createdAt, "desc")[0];
    return latest ? c.json(renderRelease(world, repository, latest)) : notFound(c);
  });
  route("GET", "/releases/tags/:tag{.+}", READ, ({ c, repository, records }) => {
    const tag = c.req.param("tag");
    const release = records.releases.find((known) => known.tag === tag && !known.isDraft);
    return release ? c.json(renderRelease(world, repository, release)) : notFound(c);
  });
  route("GET", ONE, READ, (asked) =>
    withRelease(asked, (release) => asked.c.json(renderRelease(world, asked.repository, release))),
  );
  route("PATCH", ONE, WRITE, edit);
  route("DELETE", ONE, WRITE, (asked) =>
    withRelease(asked, (release) => {
      for (const asset of release.assets) dropAsset(world, asset);
      asked.records.releases = asked.records.releases.filter((known) => known !== release);
      asked.save();
      return asked.c.body(null, 204);
    }),
  );
  return app;
}

/** Runs `act` with the release of the path. */
export function withRelease(
  asked: Asked,
  act: (release: Release) => Response | Promise<Response>,
): Response | Promise<Response> {
  const id = Number(asked.c.req.param("release"));
  const release = asked.records.releases.find((known) => known.id === id);
  return release && isShown(asked, release) ? act(release) : notFound(asked.c);
}

/** Whether the viewer can see a release. */
export function isShown(asked: Asked, release: Release): boolean {
  return !release.isDraft || mayPush(asked);
}

async function create(asked: Asked): Promise<Response> {
  const { c, world, repository, records, login } = asked;
  const body = await readBody(c, world, creation);
  if (body instanceof Response) return body;
  const target = body.target_commitish || defaultBranch(world, repository);
  const isDraft = body.draft ?? false;
  const fault = releaseFault(asked, { tag: body.tag_name, body: body.body, isDraft, target }, null);
  if (fault) return invalid(asked, fault, "Release");
  if (!isDraft) ensureTag(asked, body.tag_name, target);
  const now = timestamp();
  const release: Release = {
    id: nextId(world.state),
    tag: body.tag_name,
    target,
    name: body.name ?? null,
    body: body.body ?? null,
    isDraft,
    isPrerelease: body.prerelease ?? false,
    author: login,
    createdAt: commitDate(asked, body.tag_name) ?? now,
    updatedAt: now,
    publishedAt: isDraft ? null : now,
    assets: [],
    reactions: [],
  };
  records.releases.push(release);
  asked.save();
  return c.json(renderRelease(world, repository, release), 201);
}

function edit(asked: Asked): Response | Promise<Response> {
  return withRelease(asked, async (release) => {
    const { c, world, repository } = asked;
    const body = await readBody(c, world, change);
    if (body instanceof Response) return body;
    const tag = body.tag_name ?? release.tag;
    const target = body.target_commitish ?? release.target;
    const isDraft = body.draft ?? release.isDraft;
    const fault = releaseFault(asked, { tag, body: body.body, isDraft, target }, release);
    if (fault) return invalid(asked, fault, "Release");
    if (!isDraft) ensureTag(asked, tag, target);
    const isPublished = release.isDraft && !isDraft;
    Object.assign(release, { tag, target, isDraft });
    if (body.name !== undefined) release.name = body.name;
    if (body.body !== undefined) release.body = body.body;
    release.isPrerelease = body.prerelease ?? release.isPrerelease;
    release.updatedAt = timestamp();
    if (isPublished) {
      release.publishedAt = release.updatedAt;
      release.createdAt = commitDate(asked, tag) ?? release.createdAt;
    }
    asked.save();
    return c.json(renderRelease(world, repository, release));
  });
}

/** A release's `created_at` is the date of its commit, not of its creation. */
function commitDate({ world, repository }: Asked, tag: string): string | null {
  const tags = listRefs(world, repository, "refs/tags/");
  const commit = tags.find(({ name }) => name === tag)?.commit;
  if (commit === undefined) return null;
  const date = runGit(gitDirectory(world, repository), ["log", "-1", "--format=%ct", commit, "--"]).trim();
  return date === "" ? null : timestamp(Number(date) * 1000);
}

/** Publishing creates the tag if it does not exist. */
function ensureTag({ world, repository }: Asked, tag: string, target: string): void {
  if (listRefs(world, repository, "refs/tags/").some(({ name }) => name === tag)) return;
  const commit = branchTip(world, repository, target) ?? target;
  runGit(gitDirectory(world, repository), ["update-ref", `refs/tags/${tag}`, commit]);
}

function releaseFault(
  { world, repository, records }: Asked,
  wanted: { tag: string; body: string | null | undefined; isDraft: boolean; target: string },
  self: Release | null,
): FieldFault | null {
  const { tag, body, isDraft, target } = wanted;
  const long = bodyFault(body, BODY_LIMIT);
  if (long !== null) return long;
  if (tag === "") return { field: "tag_name", code: "missing_field" };
  if (/[\s~^:?*[\\]|\.\.|^[./-]|[./]$|@\{/.test(tag)) {
    return { field: "tag_name", code: "custom", message: "tag_name is not a valid tag" };
  }
  if (isDraft) return null;
  const twin = records.releases.find((known) => known.tag === tag && !known.isDraft);
  if (twin && twin !== self) return { field: "tag_name", code: "already_exists" };
  if (listRefs(world, repository, "refs/tags/").some(({ name }) => name === tag)) return null;
  if (listRefs(world, repository, "refs/heads/").length === 0) {
    return { field: "base", code: "custom", message: "Repository is empty." };
  }
  return isCommit({ world, repository }, target) ? null : { field: "target_commitish", code: "invalid" };
}

function isCommit({ world, repository }: Pick<Asked, "world" | "repository">, target: string): boolean {
  if (branchTip(world, repository, target) !== null) return true;
  if (!/^[0-9a-f]{40}$/.test(target)) return false;
  try {
    return runGit(gitDirectory(world, repository), ["cat-file", "-t", target]).trim() === "commit";
  } catch {
    return false;
  }
}
