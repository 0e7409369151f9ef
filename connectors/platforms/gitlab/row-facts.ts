import { z } from "zod";
import { defineRowFacts, type PlatformRowFacts } from "#connectors/contract/row-facts.ts";
import { visibilityOfItem } from "./marks.ts";

/** Members that only GitLab's rows have on the public API (spec part 2 section 3). */
export const rowFacts = {
  item: defineRowFacts(
    z.object({ is_private: z.boolean(), visibility: z.enum(["private", "internal", "public"]) }),
    (item) => {
      const visibility = visibilityOfItem(item);
      return { is_private: visibility === "private", visibility };
    },
  ),
} satisfies PlatformRowFacts;
