import { expect, test } from "vitest";
import { z } from "zod";
import { contractsAreAbsent, readContract } from "#tests/conformance/contracts.ts";
import {
  accountSchema,
  actionSchema,
  actionsSchema,
  attachmentSchema,
  attachmentsSchema,
  boardSchema,
  boardsSchema,
  cardSchema,
  cardsSchema,
  checklistSchema,
  checklistsSchema,
  customFieldSchema,
  customFieldsSchema,
  fieldValueSchema,
  labelSchema,
  labelsSchema,
  listSchema,
  listsSchema,
  memberSchema,
  optionSchema,
  organizationSchema,
  organizationsSchema,
} from "./payloads.ts";

/** The parser for each path below `/1`. An answer that names other fields in its query is not one of ours. */
const PARSERS: readonly [RegExp, z.ZodType][] = [
  [/^members\/[^/]+$/, accountSchema],
  [/^members\/[^/]+\/organizations$/, organizationsSchema],
  [/^organizations(\/ID)?$/, organizationSchema],
  [/^(members|organizations)\/[^/]+\/boards$/, boardsSchema],
  [/^(boards(\/ID)?|actions\/ID\/board)$/, boardSchema],
  [/\/ID\/lists$/, listsSchema],
  [/^(lists(\/ID)?|actions\/ID\/list)$/, listSchema],
  [/\/ID\/cards$/, cardsSchema],
  [/^(cards(\/ID)?|actions\/ID\/card|boards\/ID\/cards\/ID)$/, cardSchema],
  [/\/ID\/labels$/, labelsSchema],
  [/^labels(\/ID)?$/, labelSchema],
  [/\/ID\/members(\/all)?$/, z.array(memberSchema)],
  [/\/ID\/actions$/, actionsSchema],
  [/^(actions\/ID|cards\/ID\/actions\/comments)$/, actionSchema],
  [/^boards\/ID\/checklists$/, checklistsSchema],
  [/^(checklists(\/ID)?)$/, checklistSchema],
  [/^boards\/ID\/customFields$/, customFieldsSchema],
  [/^customFields(\/ID)?$/, customFieldSchema],
  [/^customFields\/ID\/options(\/ID)?$/, z.union([optionSchema, z.array(optionSchema)])],
  [/^cards\/ID\/customFieldItems$/, z.array(fieldValueSchema)],
  [/^cards\/ID\/attachments$/, z.union([attachmentsSchema, attachmentSchema])],
  [/^cards\/ID\/attachments\/ID$/, attachmentSchema],
];

const recordedSchema = z.array(
  z.object({
    request: z.object({ method: z.string(), url: z.string() }),
    response: z.object({ status: z.coerce.number(), body: z.unknown() }),
  }),
);

test.skipIf(contractsAreAbsent())("every recorded answer about a thing that we use is parsed", () => {
  const failed: string[] = [];
  let read = 0;
  for (const { request, response } of recordedSchema.parse(readContract("trello/recorded.json"))) {
    const url = new URL(request.url);
    const path = url.pathname.replace("/1/", "").replace(/[0-9a-f]{24}/g, "ID");
    const parser = PARSERS.find(([pattern]) => pattern.test(path))?.[1];
    const isOurs = request.method !== "DELETE" && response.status === 200 && !url.searchParams.has("fields");
    if (parser === undefined || !isOurs) continue;
    read += 1;
    const { success, error } = parser.safeParse(response.body);
    if (!success) failed.push(`${request.method} ${path}: ${error.message.slice(0, 200)}`);
  }
  expect(failed).toEqual([]);
  expect(read).toBeGreaterThan(150);
});
