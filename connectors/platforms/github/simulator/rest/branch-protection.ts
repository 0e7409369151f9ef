import { Hono } from "hono";
import { z } from "zod";
import { branchTip } from "../pull-git.ts";
import type { Body } from "../render.ts";
import { repositoryUrl } from "../render-issue.ts";
import { findAccount, type GithubWorld, type Repository } from "../state.ts";
import { problem, type RestEnv, readBody } from "./answers.ts";
import { type Asked, type RouteNeeds, repositoryRouter } from "./repository-route.ts";

const order = z.record(z.string(), z.unknown());
const READ: RouteNeeds = { permission: "administration", reach: "admin", isHidden: true };
const PATH = "/branches/:branch/protection";
const FLAGS = [
  "required_linear_history",
  "allow_force_pushes",
  "allow_deletions",
  "block_creations",
  "required_conversation_resolution",
  "lock_branch",
  "allow_fork_syncing",
];

/** `/repos/…/branches/BRANCH/protection`. Free accounts have no protection on private repositories. */
export function branchProtectionRoutes(world: GithubWorld): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  const route = repositoryRouter(app, world);
  route("GET", PATH, READ, (asked) =>
    onBranch(asked, (branch) => {
      const kept = asked.records.settings.protections[branch];
      if (!kept) return problem(asked.c, 404, "Branch not protected");
      return asked.c.json(renderProtection(world, asked.repository, branch, kept));
    }),
  );
  route("PUT", PATH, READ, (asked) =>
    onBranch(asked, async (branch) => {
      const body = await readBody(asked.c, world, order);
      if (body instanceof Response) return body;
      asked.records.settings.protections[branch] = body;
      asked.save();
      return asked.c.json(renderProtection(world, asked.repository, branch, body));
    }),
  );
  route("DELETE", PATH, READ, (asked) =>
    onBranch(asked, (branch) => {
      delete asked.records.settings.protections[branch];
      asked.save();
      return asked.c.body(null, 204);
    }),
  );
  return app;
}

/** The refusal of features that need a paid account on private repositories; null when there is none. */
export function planRefusal({ c, world, repository }: Asked): Response | null {
  const isFree = findAccount(world, repository.owner)?.isFreePlan === true;
  if (!isFree || repository.visibility === "public") return null;
  return problem(c, 403, "Upgrade to GitHub Pro or make this repository public to enable this feature.");
}

function onBranch(
  asked: Asked,
  act: (branch: string) => Response | Promise<Response>,
): Response | Promise<Response> {
  const refusal = planRefusal(asked);
  if (refusal) return refusal;
  const branch = asked.c.req.param("branch") ?? "";
  if (branchTip(asked.world, asked.repository, branch) === null) {
    return problem(asked.c, 404, "Branch not found");
  }
  return act(branch);
}

/** The API returns another shape than it accepts: flags become objects, and empty parts are omitted. */
function renderProtection(
  world: GithubWorld,
  repository: Repository,
  branch: string,
  kept: Record<string, unknown>,
): Body {
  const url = `${repositoryUrl(world, repository)}/branches/${encodeURIComponent(branch)}/protection`;
  const checks = kept.required_status_checks as { strict: boolean; contexts?: string[] } | null;
  const reviews = kept.required_pull_request_reviews as Record<string, unknown> | null;
  const flags = FLAGS.map((flag) => [flag, { enabled: kept[flag] === true }]);
  return {
    url,
    ...(checks
      ? {
          required_status_checks: {
            url: `${url}/required_status_checks`,
            strict: checks.strict,
            contexts: checks.contexts ?? [],
            contexts_url: `${url}/required_status_checks/contexts`,
            checks: (checks.contexts ?? []).map((context) => ({ context, app_id: null })),
          },
        }
      : {}),
    ...(reviews
      ? {
          required_pull_request_reviews: {
            url: `${url}/required_pull_request_reviews`,
            dismiss_stale_reviews: reviews.dismiss_stale_reviews === true,
            require_code_owner_reviews: reviews.require_code_owner_reviews === true,
            require_last_push_approval: reviews.require_last_push_approval === true,
            required_approving_review_count: Number(reviews.required_approving_review_count ?? 1),
          },
        }
      : {}),
    required_signatures: { url: `${url}/required_signatures`, enabled: false },
    enforce_admins: { url: `${url}/enforce_admins`, enabled: kept.enforce_admins === true },
    ...Object.fromEntries(flags),
  };
}
