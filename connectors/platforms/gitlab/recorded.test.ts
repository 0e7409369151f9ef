import { expect, test } from "vitest";
import { z } from "zod";
import { tokenAnswerSchema } from "#connectors/toolkit/oauth.ts";
import { contractsAreAbsent, readContract } from "#tests/conformance/contracts.ts";
import {
  accountSchema,
  boardSchema,
  discussionsSchema,
  hooksSchema,
  issueSchema,
  labelsSchema,
  membersSchema,
  mergeRequestSchema,
  milestoneSchema,
  noteSchema,
  projectSchema,
  protectedBranchSchema,
  releasesSchema,
  snippetSchema,
  variablesSchema,
} from "./payloads.ts";
import { projectRecord } from "./read/project-record.ts";
import { snippetRecord } from "./read/snippet-record.ts";
import { issuableForm, recordForm } from "./record-form.ts";

/** The parser of each recorded response. */
const PARSERS: Record<string, z.ZodType> = {
  user: accountSchema,
  "oauth-token": tokenAnswerSchema,
  project: projectSchema,
  snippet: snippetSchema,
  issue: issueSchema,
  "merge-request": mergeRequestSchema,
  note: noteSchema,
  "issue-discussions": discussionsSchema,
  "snippet-discussions": discussionsSchema,
  labels: labelsSchema,
  milestone: milestoneSchema,
  releases: releasesSchema,
  "project-board": z.array(boardSchema),
  "protected-branch": protectedBranchSchema,
  "project-variables": variablesSchema,
  members: membersSchema,
};

const payloadsSchema = z.record(z.string(), z.object({ payload: z.unknown() }));

function payloads(): z.output<typeof payloadsSchema> {
  return payloadsSchema.parse(readContract("gitlab/payloads.json"));
}

test.skipIf(contractsAreAbsent())("every recorded response is parsed", () => {
  const recorded = payloads();
  for (const [name, schema] of Object.entries(PARSERS)) {
    const parsed = schema.safeParse(recorded[name]?.payload);
    expect(parsed.error?.issues ?? [], name).toEqual([]);
  }
});

test.skipIf(contractsAreAbsent())("no record contains a secret, an API URL or a volatile field", () => {
  const recorded = payloads();
  const of = <S extends z.ZodType>(name: string, schema: S) => schema.parse(recorded[name]?.payload);
  const records = [
    projectRecord(of("project", projectSchema)),
    snippetRecord(of("snippet", snippetSchema)),
    issuableForm(of("issue", issueSchema)),
    issuableForm(of("merge-request", mergeRequestSchema)),
    recordForm(of("note", noteSchema)),
    recordForm(of("labels", labelsSchema)),
    recordForm(of("project-variables", variablesSchema)),
    recordForm(hooksSchema.parse([{ ...of("hook", z.looseObject({})), token: "s3cret" }])),
  ];
  const text = JSON.stringify(records);
  expect(text).not.toMatch(
    /"(runners_token|token|value|avatar_url|_links|email|star_count|upvotes|subscribed)":/,
  );
  expect(text).not.toContain("TEST_1");
  expect(text).toContain("TEST_VARIABLE_1");
});
