import type { Release, ReleaseAsset } from "../records.ts";
import { reactionFields } from "./actors.ts";
import { connection } from "./connection.ts";
import type { GraphqlContext } from "./context.ts";
import type { Arguments, GraphqlObject } from "./execute.ts";
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
    releaseAssets: (args: Arguments) => {
      const named = release.assets.filter(({ name }) => !args.name || name === args.name);
      return connection("releaseAssets", named, ({ id }) => id, assetObject)(args);
    },
    ...reactionFields(context, release.reactions),
  };
}

function assetObject(asset: ReleaseAsset): GraphqlObject {
  const { id, name, size, createdAt, updatedAt } = asset;
  return { __typename: "ReleaseAsset", ...idsOf("RA", id), name, size, createdAt, updatedAt };
}
