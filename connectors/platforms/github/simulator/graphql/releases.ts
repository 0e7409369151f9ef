import type { Release } from "../records.ts";
import { nodeId } from "../render.ts";
import { reactionFields } from "./actors.ts";
import type { GraphqlContext } from "./context.ts";
import type { GraphqlObject } from "./execute.ts";

/** A release. */
export function releaseObject(context: GraphqlContext, release: Release): GraphqlObject {
  return {
    __typename: "Release",
    id: nodeId("RE", release.id),
    databaseId: release.id,
    name: release.name,
    tagName: release.tag,
    isDraft: release.isDraft,
    isPrerelease: release.isPrerelease,
    createdAt: release.createdAt,
    updatedAt: release.updatedAt,
    publishedAt: release.publishedAt,
    ...reactionFields(context, release.reactions),
  };
}
