import { z } from "zod";
import { defineRowFacts, type PlatformRowFacts } from "#connectors/contract/row-facts.ts";
import { detailsSchema } from "./authorize.ts";

const itemSchema = z.object({ icon: z.string().nullable() });

/** Members that only Notion's rows have on the public API (spec P-133). The username is the shared one: Notion has none. */
export const rowFacts = {
  account: defineRowFacts(
    z.object({
      /** Repeats `id` under the name that requests use. */
      ownerId: z.string(),
      name: z.string(),
      type: z.string(),
      email: z.string().nullable(),
      workspace_id: z.string(),
      workspace_name: z.string(),
      workspace_icon: z.string().nullable(),
    }),
    ({ id, name, type, details }) => {
      const known = detailsSchema.safeParse(details).data;
      return {
        ownerId: id,
        name: known?.fullName ?? name,
        type,
        email: known?.email ?? null,
        workspace_id: known?.workspaceId ?? "",
        workspace_name: known?.workspaceName ?? "",
        workspace_icon: known?.workspaceIcon ?? null,
      };
    },
  ),
  item: defineRowFacts(z.object({ icon: z.string().nullable() }), ({ details }) => ({
    icon: itemSchema.safeParse(details).data?.icon ?? null,
  })),
} satisfies PlatformRowFacts;
