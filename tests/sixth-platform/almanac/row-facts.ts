import { z } from "zod";
import { defineRowFacts, type PlatformRowFacts } from "#connectors/contract/row-facts.ts";
import { siteDetailsSchema } from "./client.ts";
import { readDetails } from "./marks.ts";

/** Members that only Almanac's rows have on the public API. */
export const rowFacts = {
  account: defineRowFacts(
    z.object({ site_address: z.string(), access: z.array(z.string()) }),
    ({ details, authMethods }) => ({
      site_address: siteDetailsSchema.safeParse(details).data?.address ?? "",
      access: [...authMethods],
    }),
  ),
  item: defineRowFacts(z.object({ sharing: z.enum(["private", "site"]), page_count: z.number() }), (book) => {
    const { sharing, pageCount } = readDetails(book);
    return { sharing, page_count: pageCount };
  }),
} satisfies PlatformRowFacts;
