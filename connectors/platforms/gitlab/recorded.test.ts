import { expect, test } from "vitest";
import { z } from "zod";
import { tokenAnswerSchema } from "#connectors/toolkit/oauth.ts";
import { contractsAreAbsent, readContract } from "#tests/conformance/contracts.ts";
import { faultsOfReading, type Reading } from "#tests/conformance/read-recorded.ts";
import { uploadSchema } from "./backup/back-up-uploads.ts";
import {
  accountSchema,
  awardsSchema,
  badgesSchema,
  boardsSchema,
  deployKeysSchema,
  discussionsSchema,
  groupSchema,
  hooksSchema,
  issueSchema,
  labelsSchema,
  linkedIssuesSchema,
  membersSchema,
  mergeRequestSchema,
  milestoneSchema,
  noteSchema,
  projectSchema,
  protectedBranchSchema,
  protectedTagsSchema,
  releasesSchema,
  snippetSchema,
  variablesSchema,
} from "./payloads.ts";
import { projectRecord } from "./read/project-record.ts";
import { snippetRecord } from "./read/snippet-record.ts";
import { issuableForm, recordForm } from "./record-form.ts";
import { madeSchema } from "./restore/restore-uploads.ts";

const THROUGH_GIT = "Code, history, branches and tags are read through git.";
const PEOPLE = "Profiles, keys, groups and tokens are not part of a version.";
const NOT_OURS = "No part of the product asks it.";

/** What becomes of each recorded answer, by its name. */
const READINGS: readonly Reading[] = [
  [/^user$/, accountSchema],
  [/^oauth-token$/, tokenAnswerSchema],
  [/^group$/, groupSchema],
  [/^project$/, projectSchema],
  [/^snippet$/, snippetSchema],
  [/^issue$/, issueSchema],
  [/^(models\/)?merge-request$/, mergeRequestSchema],
  [/^(note|merge-request-note)$/, noteSchema],
  [/^(models\/)?(issue|snippet|merge-request|commit)-discussions$/, discussionsSchema],
  [/^merge-request-discussion$/, discussionsSchema.element],
  [/^labels$/, labelsSchema],
  [/^milestone$/, milestoneSchema],
  [/^releases$/, releasesSchema],
  [/^project-board$/, boardsSchema],
  [/^protected-branch$/, protectedBranchSchema],
  [/^protected-tags$/, protectedTagsSchema],
  [/^project-variables$/, variablesSchema],
  [/^project-variable-details$/, variablesSchema.element],
  [/^members$/, membersSchema],
  [/^hook$/, hooksSchema.element],
  [/^key$/, deployKeysSchema.element],
  [/^badges$/, badgesSchema],
  [/^linked-issues$/, linkedIssuesSchema],
  [/^award-emoji$/, awardsSchema.element],
  [/^file-upload$/, madeSchema],
  [/^uploaded-file$/, uploadSchema],
  [/^(models\/)?links$/, "A release has its links."],
  [/^issue-link$/, "The list of linked issues is read; what a restore adds is not read from the answer."],
  [
    /^milestone-group$|^group-(board|hook|access-token)$/,
    "A version holds what belongs to the project itself.",
  ],
  [
    /^(merge-request-(diffs?|versions)|diff|comment|merge-request-comment)$/,
    "Diffs are in git, comments are read as notes.",
  ],
  [
    /^(bad-branch|branch|blame|(models\/)?commit(-payload)?|compare-results|contributors|repository-file(-response)?|tag|tree|wiki-blobs|gpg-signature)$/,
    THROUGH_GIT,
  ],
  [
    /^(commit-status|events?|project-(events|fetches|languages)|issues-statistics|issues-closed-by-mr)$/,
    "It is derived, or tells what happened.",
  ],
  [
    /^(access-request|associations|emails|models\/user-list|user-list|personal-access-token|project-(access-token|groups|users)|sshkey)$/,
    PEOPLE,
  ],
  [
    /^(export|import)-status$|^metadata$|^notification-settings$|^project-templates?$|^system-hook$|^todos$|^(models\/)?topic$/,
    NOT_OURS,
  ],
];

const payloadsSchema = z.record(z.string(), z.object({ payload: z.unknown() }));

function payloads(): z.output<typeof payloadsSchema> {
  return payloadsSchema.parse(readContract("gitlab/payloads.json"));
}

test.skipIf(contractsAreAbsent())(
  "every recorded answer is parsed, or named with the reason why not",
  async () => {
    const answers = Object.entries(payloads()).map(([call, { payload: body }]) => ({ call, body }));
    expect(await faultsOfReading(answers, READINGS)).toEqual([]);
  },
);

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
