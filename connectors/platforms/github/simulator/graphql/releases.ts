import type { Release } from "../records.ts";
import { reactionFields } from "./actors.ts";
import type { GraphqlContext } from "./context.ts";
import type { GraphqlObject } from "./execute.ts";
import { idsOf } from "./ids.ts";

/** A release. */
export function releaseObject(context: GraphqlContext, release: Release): GraphqlObject {
  return {
    __typename: "Release",
    ...idsOf("RE", release.id),
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
