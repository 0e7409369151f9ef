import { z } from "zod";
import { defineRowFacts, type PlatformRowFacts } from "#connectors/contract/row-facts.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import { visibilityOfItem } from "./marks.ts";

const userType = z.enum(["User", "Organization"]);
const nodeId = z.string().nullable();
const nodeSchema = z.object({ nodeId });
const gistSchema = z.object({ record: z.object({ node_id: nodeId }) });

/** Members that only GitHub's rows have on the public API (spec part 2 section 3). */
export const rowFacts = {
  account: defineRowFacts(
    z.object({
      userType,
      githubapp: z.boolean(),
      githubAppOwner: z.string(),
    }),
    ({ type, grantName, isAppMissing }) => ({
      userType: userType.catch("User").parse(type),
      githubapp: !isAppMissing,
      githubAppOwner: grantName,
    }),
  ),
  place: defineRowFacts(z.object({ node_id: nodeId }), ({ details }) => ({ node_id: nodeIdOf(details) })),
  item: defineRowFacts(
    z.object({
      node_id: nodeId,
      is_private: z.boolean(),
      visibility: z.enum(["private", "public", "internal"]),
    }),
    (item) => {
      const visibility = visibilityOfItem(item);
      return { node_id: nodeIdOf(item.details), is_private: visibility === "private", visibility };
    },
  ),
} satisfies PlatformRowFacts;

/** Returns the global id. A gist stores it in its record. */
function nodeIdOf(details: Json): string | null {
  const known = nodeSchema.safeParse(details);
  if (known.success) return known.data.nodeId;
  const gist = gistSchema.safeParse(details);
  return gist.success ? gist.data.record.node_id : null;
}
