import { z } from "zod";
import { defineRowFacts, type PlatformRowFacts } from "#connectors/contract/row-facts.ts";
import { projectTypeOf } from "./marks.ts";

const accountMethod = z.enum(["Forge", "Connect"]);

/** Members that only Jira's rows have on the public API (spec part 2 section 3). */
export const rowFacts = {
  // `Connect` stands for a sign-in and for an API token (spec P-132).
  account: defineRowFacts(z.object({ authMethod: accountMethod }), ({ authMethods }) => ({
    authMethod: authMethods[0] === "forge" ? ("Forge" as const) : ("Connect" as const),
  })),
  // The spec names the type twice: for lists (P-142), and for what can be added (P-143).
  item: defineRowFacts(
    z.object({ projectTypeKey: z.string().nullable(), projectType: z.string().nullable() }),
    (project) => {
      const type = projectTypeOf(project) || null;
      return { projectTypeKey: type, projectType: type };
    },
  ),
} satisfies PlatformRowFacts;
