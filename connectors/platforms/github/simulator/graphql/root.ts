import type { Quota } from "../rate-limit.ts";
import { lookUpRepository } from "../repositories.ts";
import { timestamp } from "../state.ts";
import { actorObject } from "./actors.ts";
import { type GraphqlContext, isVisible } from "./context.ts";
import { type Arguments, FieldError, type GraphqlObject } from "./execute.ts";
import { findNodes } from "./nodes.ts";
import { repositoryObject } from "./repository.ts";

/** The root of queries. */
export function queryRoot(
  context: GraphqlContext,
  { quota, cost, nodeCount }: { quota: Quota; cost: number; nodeCount: number },
): GraphqlObject {
  const { world } = context;
  return {
    repository: (args: Arguments) => {
      const [owner, name] = [String(args.owner), String(args.name)];
      // A former name resolves to the renamed repository, unless `followRenames` is false.
      const lookup = lookUpRepository(world, owner, name);
      const isFollowed = lookup.kind !== "moved" || args.followRenames !== false;
      if (lookup.kind !== "missing" && isFollowed && isVisible(context, lookup.repository)) {
        return repositoryObject(context, lookup.repository);
      }
      throw new FieldError(
        "NOT_FOUND",
        `Could not resolve to a Repository with the name '${owner}/${name}'.`,
      );
    },
    node: (args: Arguments) => required(String(args.id), findNodes(context, [String(args.id)])[0] ?? null),
    nodes: (args: Arguments) => {
      const ids = [args.ids ?? []].flat().map(String);
      if (ids.length > 100) {
        throw new FieldError(
          "ARGUMENT_LIMIT",
          `You may not provide more than 100 node ids; you provided ${ids.length}.`,
        );
      }
      return findNodes(context, ids);
    },
    viewer: () => actorObject(world, context.login),
    user: (args: Arguments) => account(context, "User", String(args.login)),
    organization: (args: Arguments) => account(context, "Organization", String(args.login)),
    rateLimit: () => ({
      limit: quota.limit,
      cost,
      nodeCount,
      used: quota.used,
      remaining: Math.max(0, quota.limit - quota.used),
      resetAt: timestamp(quota.resetAt),
    }),
  };
}

function required(id: string, node: GraphqlObject | null): GraphqlObject {
  if (node) return node;
  throw new FieldError("NOT_FOUND", `Could not resolve to a node with the global id of '${id}'.`);
}

function account(context: GraphqlContext, type: "User" | "Organization", login: string): GraphqlObject {
  const actor = actorObject(context.world, login);
  if (actor?.__typename === type) return actor;
  const article = type === "User" ? "a User" : "an Organization";
  throw new FieldError("NOT_FOUND", `Could not resolve to ${article} with the login of '${login}'.`);
}
