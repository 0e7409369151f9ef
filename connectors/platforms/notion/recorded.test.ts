import { expect, test } from "vitest";
import { z } from "zod";
import { canonicalJson } from "#core/kernel/canonical-json.ts";
import { contractsAreAbsent, readContract } from "#tests/conformance/contracts.ts";
import { faultsOfReading, type Reading } from "#tests/conformance/read-recorded.ts";
import {
  blockSchema,
  blocksSchema,
  commentSchema,
  commentsSchema,
  createdSchema,
  databaseSchema,
  dataSourceSchema,
  emojisSchema,
  errorSchema,
  markdownSchema,
  pageSchema,
  propertyItemsSchema,
  resultsSchema,
  templatesSchema,
  userSchema,
  usersSchema,
  viewReferencesSchema,
  viewSchema,
} from "./payloads.ts";
import { recordForm } from "./record-form.ts";

/** Real answers of Notion, version 2025-09-03, replayed through our schemas. */
const recordedSchema = z.array(
  z.object({
    request: z.object({ method: z.string(), url: z.string() }),
    response: z.object({ status: z.number(), body: z.unknown() }),
  }),
);

const ID = "[0-9a-f-]{32,36}";
const MADE_AGAIN = "A backup asks for the rows themselves; a query that Notion keeps is not used.";

/** What becomes of each answer, by method and path. Calls of restores are not read back whole. */
const READINGS: readonly Reading[] = [
  [/^POST \/search$/, resultsSchema],
  [/^POST \/data_sources\/.+\/query$/, resultsSchema],
  [/^GET \/users$/, usersSchema],
  [/^GET \/users\//, userSchema],
  [/^GET \/async_tasks\//, "A restore starts no tasks."],
  [new RegExp(`^GET /blocks/${ID}$`), blockSchema],
  [/^GET \/blocks\/.+\/children$/, blocksSchema],
  [/^PATCH \/blocks\/.+\/children$/, blocksSchema],
  [new RegExp(`^(PATCH|DELETE) /blocks/${ID}$`), blockSchema],
  [
    /^(GET|PATCH) \/pages\/.+\/markdown$/,
    z.union([markdownSchema, z.looseObject({ object: z.literal("async_task") })]),
  ],
  [/^GET \/pages\/.+\/properties\//, propertyItemsSchema],
  [new RegExp(`^(GET|PATCH) /pages/${ID}$`), pageSchema],
  [/^POST \/pages(\/.+\/move)?$/, pageSchema],
  [/^(POST|PATCH|GET) \/databases/, databaseSchema],
  [/^GET \/data_sources\/.+\/templates$/, templatesSchema],
  [/^(POST|PATCH|GET) \/data_sources/, dataSourceSchema],
  [/^GET \/comments$/, commentsSchema],
  [/^(GET|POST|PATCH|DELETE) \/comments/, commentSchema],
  [/^GET \/custom_emojis$/, emojisSchema],
  [/^GET \/views$/, viewReferencesSchema],
  [/^(GET|POST|DELETE) \/views\/.+\/queries/, MADE_AGAIN],
  [/^(POST|PATCH|GET) \/views/, viewSchema],
  [/^DELETE \/views/, "A deletion answers with the id alone."],
  [/^GET \/file_uploads$/, "Each upload is read by itself."],
  [/^(GET|POST) \/file_uploads\//, createdSchema],
  [/^POST \/file_uploads$/, createdSchema],
  [/^FAILED /, errorSchema],
];

function answers() {
  const all = recordedSchema.parse(readContract("notion/recorded.json"));
  return all.flatMap(({ request, response }) => {
    const url = new URL(request.url);
    if (url.host !== "api.notion.com") return [];
    return [{ call: `${request.method} ${url.pathname.replace(/^\/v1/, "")}`, ...response }];
  });
}

test.skipIf(contractsAreAbsent())(
  "every recorded answer is parsed, or named with the reason why not",
  async () => {
    const all = answers().map(({ call, status, body }) => ({
      call: status >= 400 ? `FAILED ${call}` : call,
      body,
    }));
    expect(await faultsOfReading(all, READINGS)).toEqual([]);
  },
);

test.skipIf(contractsAreAbsent())("a recorded answer gives a record without what changes by itself", () => {
  for (const { call, status, body } of answers()) {
    if (status >= 400) continue;
    expect(canonicalJson(recordForm(body)), call).not.toMatch(/"request_id"|"expiry_time"|X-Amz-Signature/);
  }
});
