import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { type CoveredThing, fieldNames } from "#connectors/contract/coverage.ts";
import { gistRecord } from "#connectors/platforms/github/read/gist-record.ts";
import {
  recordForm as githubForm,
  issueAsListed,
  pullAsListed,
} from "#connectors/platforms/github/record-form.ts";
import { recordForm as gitlabForm } from "#connectors/platforms/gitlab/record-form.ts";
import { plainForm as jiraForm } from "#connectors/platforms/jira/backup/issue-form.ts";
import { recordForm as notionForm } from "#connectors/platforms/notion/record-form.ts";
import { actionForm, boardForm, recordForm as trelloForm } from "#connectors/platforms/trello/record-form.ts";
import { platforms } from "#connectors/registry/platforms.generated.ts";
import { contractsAreAbsent } from "../contracts.ts";
import { committedFields, FIELDS_FILE } from "./read-fields.ts";
import { fieldsOf } from "./schema-sources.ts";
import { SCHEMAS } from "./schemas.ts";

const coverageOf = (platform: string) =>
  platforms.find(({ connector }) => connector.descriptor.id === platform)!.connector.coverage;

/** A thing's fields by what becomes of them. */
function fatesOf({ restored = "", kept = [], left = [] }: CoveredThing) {
  const all = (groups: typeof kept) => groups.flatMap(({ fields }) => fieldNames(fields));
  return { restored: fieldNames(restored), kept: all(kept), left: all(left) };
}

test.skipIf(contractsAreAbsent())("the committed fields are those of the published schemas", async () => {
  const lines = Object.entries(SCHEMAS).flatMap(([platform, schemas]) =>
    Object.entries(schemas).map(([name, source]) => `${platform} ${name}: ${fieldsOf(source).join(" ")}\n`),
  );
  await expect(lines.join("")).toMatchFileSnapshot(fileURLToPath(FIELDS_FILE));
});

test.each(Object.keys(SCHEMAS))("every field of %s is classified exactly once", (platform) => {
  const committed = committedFields(platform);
  const things = coverageOf(platform);
  expect([...new Set(things.map(({ schema }) => schema))].sort()).toEqual(Object.keys(committed).sort());
  for (const thing of things) {
    const { restored, kept, left } = fatesOf(thing);
    expect([thing.name, [...restored, ...kept, ...left].sort()]).toEqual([
      thing.name,
      committed[thing.schema],
    ]);
  }
});

test("every platform has names of its own for what is covered, and a reason for everything else", () => {
  for (const { connector } of platforms) {
    const { coverage } = connector;
    expect(new Set(coverage.map(({ name }) => name)).size).toBe(coverage.length);
    for (const { kept = [], left = [] } of coverage) {
      for (const { because } of [...kept, ...left]) expect(because).toMatch(/^[A-Z].+\.$/);
    }
  }
});

/** A form that decides what a version keeps. `apart`: fields that it does not decide, and why. */
type Form = { form: (sent: Record<string, true>) => unknown; apart?: Record<string, string> };

const NEVER_SENT = "the answers that a backup reads do not have them";
const OWN_RECORDS = "they have records of their own";
const BY_ITSELF = "it is read by itself";
const github: Form = { form: (sent) => githubForm(sent) };
const gitlab: Form = { form: gitlabForm };
const trello: Form = { form: trelloForm };
const jira: Form = { form: jiraForm };
const notion: Form = { form: notionForm };
const texts = { body_html: NEVER_SENT, body_text: NEVER_SENT };

const FORMS: Readonly<Record<string, Readonly<Record<string, Form>>>> = {
  github: {
    label: github,
    milestone: github,
    issue: {
      form: (sent) => githubForm(issueAsListed(sent)),
      apart: { ...texts, reactions: BY_ITSELF, repository: NEVER_SENT, pull_request: OWN_RECORDS },
    },
    "issue-comment": { ...github, apart: { ...texts, reactions: BY_ITSELF } },
    "issue-event": { ...github, apart: { issue: "its path names it" } },
    "pull-request": { form: (sent) => githubForm(pullAsListed(sent)), apart: { merged_by: BY_ITSELF } },
    "review-comment": { ...github, apart: { ...texts, reactions: BY_ITSELF } },
    release: { ...github, apart: { ...texts, reactions: BY_ITSELF } },
    "release-asset": github,
    "branch-protection": github,
    ruleset: { ...github, apart: { current_user_can_bypass: "it is taken out before" } },
    gist: {
      form: (sent) => gistRecord({ ...sent, files: {} } as never),
      apart: { history: "it is in git" },
    },
    "gist-comment": github,
  },
  gitlab: {
    issue: gitlab,
    "merge-request": gitlab,
    note: gitlab,
    label: gitlab,
    milestone: gitlab,
    release: gitlab,
    "release-link": gitlab,
    board: gitlab,
    "board-list": gitlab,
    "protected-branch": gitlab,
    member: gitlab,
    variable: gitlab,
    webhook: gitlab,
    "protected-tag": gitlab,
    "pipeline-schedule": gitlab,
    "deploy-key": gitlab,
    badge: gitlab,
  },
  trello: {
    board: { form: (sent) => boardForm(sent as never), apart: { memberships: OWN_RECORDS } },
    list: trello,
    label: trello,
    "custom-field": trello,
    card: { ...trello, apart: { url: NEVER_SENT } },
    "custom-field-value": trello,
    checklist: trello,
    "check-item": trello,
    attachment: trello,
    action: { form: (sent) => actionForm({ ...sent, memberCreator: {} } as never) },
    "plugin-data": trello,
  },
  jira: {
    project: {
      ...jira,
      apart: {
        ...{ favourite: "it is taken out before", permissions: "they are taken out before" },
        ...{ simplified: "it is taken out before", insight: "it is taken out before" },
      },
    },
    comment: { ...jira, apart: { renderedBody: NEVER_SENT } },
    worklog: jira,
    attachment: jira,
    link: jira,
    "web-link": jira,
    watchers: jira,
    votes: jira,
    change: jira,
    component: jira,
    version: {
      ...jira,
      apart: {
        ...{ overdue: "it is taken out before", userStartDate: "it is taken out before" },
        userReleaseDate: "it is taken out before",
      },
    },
    sprint: jira,
    board: {
      ...jira,
      apart: { location: "it is taken out before", canEdit: NEVER_SENT, favourite: NEVER_SENT },
    },
    "issue-type": jira,
    status: jira,
    field: jira,
    role: jira,
  },
  notion: {
    page: notion,
    block: notion,
    "rich-text": notion,
    database: notion,
    "data-source": notion,
    view: notion,
    comment: notion,
    user: notion,
    emoji: notion,
  },
};

/** What a backup keeps is decided by the forms of its records, so a form that changes must change the page too. */
test.each(
  Object.entries(FORMS).flatMap(([platform, forms]) =>
    Object.entries(forms).map(([schema, form]) => [platform, schema, form] as const),
  ),
)(
  "%s, %s: what a version is said to keep is what its form keeps",
  (platform, schema, { form, apart = {} }) => {
    const fields = (committedFields(platform)[schema] ?? []).filter((name) => !(name in apart));
    const kept = Object.keys(form(Object.fromEntries(fields.map((name) => [name, true]))) as object);
    for (const thing of coverageOf(platform).filter((one) => one.schema === schema)) {
      const { restored, kept: rest } = fatesOf(thing);
      const said = [...restored, ...rest].filter((name) => !(name in apart));
      expect([thing.name, said.sort()]).toEqual([thing.name, kept.sort()]);
    }
  },
);
