import { expect, test } from "vitest";
import { z } from "zod";
import { contractsAreAbsent, readContract } from "#tests/conformance/contracts.ts";
import { faultsOfReading, type Reading } from "#tests/conformance/read-recorded.ts";
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
  checkItemSchema,
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

const NOT_OURS = "No part of the product asks it.";
const NO_ANSWER = "What a restore adds to a thing is not read from the answer.";

/** What becomes of the answer to each call below `/1`; `?` stands for an answer with chosen fields only. */
const READINGS: readonly Reading[] = [
  [/\?$/, "Our own calls choose other fields."],
  [/^DELETE /, "A deletion answers with an empty value."],
  [/^\w+ members\/[^/]+$/, accountSchema],
  [/^\w+ members\/[^/]+\/organizations$/, organizationsSchema],
  [/^\w+ organizations(\/ID)?$/, organizationSchema],
  [/^\w+ (members|organizations)\/[^/]+\/boards$/, boardsSchema],
  [/^\w+ (boards(\/ID)?|actions\/ID\/board)$/, boardSchema],
  [/\/ID\/lists$/, listsSchema],
  [/^\w+ (lists(\/ID)?|actions\/ID\/list)$/, listSchema],
  [/\/ID\/cards$/, cardsSchema],
  [/^\w+ (cards(\/ID)?|actions\/ID\/card|boards\/ID\/cards\/ID|cards\/ID\/id(Board|List))$/, cardSchema],
  [/\/ID\/labels$/, labelsSchema],
  [/^\w+ labels(\/ID)?$/, labelSchema],
  [/^GET .+\/(members(\/all)?|membersVoted)$/, z.array(memberSchema)],
  [/\/ID\/actions$/, actionsSchema],
  [/^\w+ (actions\/ID|cards\/ID\/actions\/comments)$/, actionSchema],
  [/^GET (boards|cards)\/ID\/checklists$/, checklistsSchema],
  [/^\w+ (checklists(\/ID)?|cards\/ID\/checklists)$/, checklistSchema],
  [/^POST checklists\/ID\/checkItems$|\/checkItem\/ID$/, checkItemSchema],
  [/^\w+ boards\/ID\/customFields$/, customFieldsSchema],
  [/^\w+ customFields(\/ID)?$/, customFieldSchema],
  [/^\w+ custom[fF]ields\/ID\/options(\/ID)?$/, z.union([optionSchema, z.array(optionSchema)])],
  [/^\w+ cards\/ID\/customFieldItems$/, z.array(fieldValueSchema)],
  [/^PUT cards\/ID\/customField\/ID\/item$/, fieldValueSchema],
  [/^\w+ cards\/ID\/attachments$/, z.union([attachmentsSchema, attachmentSchema])],
  [/^\w+ cards\/ID\/attachments\/ID$/, attachmentSchema],
  [/\/(idLabels|idMembers|members\/\w+|membersVoted)$/, NO_ANSWER],
  [/\/(pluginData|checkItemStates|labelnames)$/, "It comes with the whole board, in another form."],
  [/ (notifications|tokens|webhooks)(\/|$)|\/notifications$|\/(archive|move)AllCards$/, NOT_OURS],
];

const recordedSchema = z.array(
  z.object({
    request: z.object({ method: z.string(), url: z.string() }),
    response: z.object({ status: z.coerce.number(), body: z.unknown() }),
  }),
);

test.skipIf(contractsAreAbsent())(
  "every recorded answer is parsed, or named with the reason why not",
  async () => {
    const answers = recordedSchema
      .parse(readContract("trello/recorded.json"))
      .filter(({ response }) => response.status === 200)
      .map(({ request, response: { body } }) => {
        const url = new URL(request.url);
        const path = url.pathname.replace("/1/", "").replace(/[0-9a-f]{24}/g, "ID");
        return { call: `${request.method} ${path}${url.searchParams.has("fields") ? "?" : ""}`, body };
      });
    expect(await faultsOfReading(answers, READINGS)).toEqual([]);
  },
);
