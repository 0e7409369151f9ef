import { z } from "zod";
import { defineRowFacts, type PlatformRowFacts } from "#connectors/contract/row-facts.ts";
import { accessOf } from "./marks.ts";

/** The names of the wire for a board's visibility. */
const WORDS = {
  private: { visibility: "private", permissionLevel: "private" },
  workspace: { visibility: "internal", permissionLevel: "org" },
  public: { visibility: "public", permissionLevel: "public" },
} as const;

/** Members that only Trello's rows have on the public API (spec part 2 section 3). */
export const rowFacts = {
  item: defineRowFacts(
    z.object({
      is_private: z.boolean(),
      visibility: z.enum(["private", "internal", "public"]),
      permissionLevel: z.enum(["private", "org", "public"]),
    }),
    (board) => {
      const access = accessOf(board);
      return { is_private: access === "private", ...WORDS[access] };
    },
  ),
} satisfies PlatformRowFacts;
