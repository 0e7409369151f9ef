import { expect, test } from "vitest";
import { callPlatform } from "#app/api/call-platform.ts";
import { bulkItemOf, bulkRequest, bulkRules } from "#app/bulk/bulk-rules.ts";
import type { RestoreQuestion } from "#connectors/contract/restore-question.ts";
import { columnsOf, proposeColumns } from "#connectors/platforms/jira/restore/columns.ts";
import { descriptors } from "#connectors/registry/descriptors.generated.ts";
import { restoreWords } from "#connectors/registry/restore-words.generated.ts";
import { answersOfMatches, completeAnswers } from "#core/restores/restore-answers.schema.ts";
import { renderScreen, textOf } from "#tests/harness/render-screen.tsx";
import { itemOf, rowOf } from "#tests/harness/view-fixtures.ts";
import { answersOnWire } from "./answers-on-wire.ts";
import { QuestionFields } from "./question-fields.tsx";
import { RestoreFailure } from "./restore-failure.tsx";
import {
  answersReason,
  type RestoreEntries,
  restoreReason,
  restoreRequest,
  restoreRules,
} from "./restore-form.ts";
import { RestoreTargetPart } from "./restore-target-part.tsx";

/* Restores into an existing item, with Jira's rules, words and columns. */

const descriptor = descriptors.find(({ id }) => id === "jira")!;
const kind = descriptor.itemKinds[0]!;
const path = { platform: "jira", kind: "project" };
const rules = restoreRules(descriptor, kind.id, []);
const fleet = itemOf({ ...path, name: "Fleet", fullName: "OPS · Fleet", externalId: "10001", placeId: null });
const entries: RestoreEntries & { snapshotId: string } = {
  ...{ snapshotId: "snp_0", into: null, name: "", placeId: null, emails: "", answers: {} },
};
const into = (externalId: string) => ({ ...entries, into: { externalId } });

const status = (id: string, name: string) => ({ id, name, category: null });
const columns = (...names: string[]) =>
  columnsOf(
    null,
    names.map((name, at) => status(`1${at}`, name)),
  );
/** The matching that Jira's connector asks: To do and Done have equal names, Waiting has none. */
const matching: RestoreQuestion = {
  ...{ type: "matching", name: "columns", label: "Match Columns", help: "", isRequired: true },
  things: { one: "column", many: "columns" },
  ...proposeColumns(columns("To do", "Waiting", "Done"), columns("To do", "Doing", "Done")),
};
const heads: RestoreQuestion = {
  type: "switch",
  name: "comments",
  label: "Comments",
  help: "",
  default: true,
};
const questions = [matching, heads];

test("[P-264] Restore is disabled until a project is chosen", () => {
  expect(restoreReason(entries, rules, false, [rowOf()])).toBe("Choose a target first");
  expect(restoreReason(into("10002"), rules, false, [rowOf()])).toBeNull();
});

test("[P-245] every column of the backup must be matched before the restore", () => {
  const answers = completeAnswers(questions, {});
  expect(answersReason(questions, answers)).toBe("1 column open");
  const all = completeAnswers(questions, { columns: { 11: "Doing" } });
  expect(answersReason(questions, all)).toBeNull();
});

test("[P-246] a ticked box lifts the duty to match columns", () => {
  const shown = (columns: Record<string, string | null>) =>
    renderScreen(
      <QuestionFields
        questions={questions}
        answers={completeAnswers(questions, { columns })}
        onAnswer={() => undefined}
      />,
    );
  const label = "I don't want to match all or some of columns";
  expect(textOf(shown({}))).toContain(label);
  expect(answersReason(questions, completeAnswers(questions, { columns: {} }))).toBe("1 column open");
  expect(answersReason(questions, completeAnswers(questions, { columns: { 11: null } }))).toBeNull();
  expect(shown({ 11: null })).toMatch(
    /<input[^>]*type="checkbox"[^>]*checked=""[^>]*id="[^"]*-leave"|id="[^"]*-leave"[^>]*checked=""/,
  );
});

const target = (externalId: string, name: string, isSource = false) => ({
  ...{ externalId, name, fullName: `KEY · ${name}`, isSource },
});
function targetPart(chosen: string, typeKey = "software"): string {
  const items = [target("10001", "Fleet", true), target("10002", "Fleet again"), target("10003", " fleet ")];
  const subject = { platform: "jira", kindId: kind.id, itemId: "itm_1", snapshotId: "snp_0", part: null };
  return textOf(
    renderScreen(
      <RestoreTargetPart
        subject={{ ...subject, item: { ...fleet, typeKey } }}
        rules={rules}
        targets={{
          ...{ targets: { items, hasMore: false, places: [] }, failure: null, search: "" },
          setSearch: () => undefined,
        }}
        places={[]}
        timeZone="Etc/UTC"
        reasonOf={() => null}
        send={async () => undefined}
        onClose={() => undefined}
        entries={into(chosen)}
        onChange={() => undefined}
      />,
    ),
  );
}

test("[P-234] [P-436] the source and a project of the same name show the warning about duplicates", () => {
  const warning = "Restoring to the same project will result in duplicates. This action is irreversible";
  expect(targetPart("10001")).toContain(warning);
  expect(targetPart("10003")).toContain(warning);
  expect(targetPart("10002")).not.toContain("duplicates");
});

test("a project that cannot match columns says so at its target", () => {
  expect(targetPart("10002", "service_desk")).toContain(
    "Jira Service Management projects cannot match columns. Issues get the status of the same name, or one of the same kind.",
  );
  expect(targetPart("10002")).not.toContain("cannot match");
});

const wire = async (does: "restore-items", platform: string, kindId: string, input: object) => {
  const seen: { url: string; body: unknown }[] = [];
  await callPlatform(
    { platform, does, kind: kindId },
    input as Parameters<typeof callPlatform<"restore-items">>[1],
    {
      fetch: async (url, init) => {
        seen.push({ url: String(url), body: JSON.parse(String(init?.body)) });
        return Response.json({ status: "success", result: { runIds: [] } });
      },
    },
  );
  return seen[0];
};

test("[P-166] a restore's request names each matched column with transitionId and name, and its column in the target", async () => {
  const answers = completeAnswers(questions, { columns: { 11: null } });
  const answered = answersOnWire(path, questions, answers);
  const sent = await wire(
    "restore-items",
    "jira",
    "project",
    restoreRequest(fleet, into("10002"), [], rules, answered),
  );
  expect(sent?.url).toBe("/api/jira/restore-projects");
  const column = (transitionId: string, name: string) => ({
    ...{ backedUpProjectColumn: { transitionId, name }, restoredProjectColumn: { name } },
  });
  expect(sent?.body).toMatchObject({
    items: [
      {
        ...{ id: "itm_1", versions: "snp_0", restoredId: "10002", options: { comments: true } },
        matchedColumns: [column("10", "To do"), column("12", "Done")],
      },
    ],
  });
});

test("matches by names become the answers again; what no match names is left out", () => {
  const answers = completeAnswers(questions, { columns: { 11: "Doing" } });
  const { matches } = answersOnWire(path, questions, answers);
  expect(answersOfMatches(questions, matches!)).toEqual({ columns: answers.columns });
  const byName = [{ backedUp: { name: "Waiting" }, restored: { name: "Doing" } }];
  expect(answersOfMatches(questions, byName)).toEqual({ columns: { 10: null, 11: "Doing", 12: null } });
  const unknown = [{ backedUp: { matchId: "11", name: "x" }, restored: { name: "gone" } }];
  expect(answersOfMatches(questions, unknown).columns).toMatchObject({ 11: null });
  expect(answersOfMatches([heads], byName)).toEqual({});
  expect(answersOnWire({ platform: "trello", kind: "board" }, questions, answers)).toEqual({
    options: answers,
  });
});

test("[P-164] a bulk restore sends the id of the chosen project and no name", async () => {
  const bulk = bulkRules(descriptor, kind);
  const item = {
    ...bulkItemOf(fleet, false, bulk),
    ver: "snp_1",
    name: "10002",
    intoName: "OPSB · Fleet again",
  };
  const request = bulkRequest([item], {
    ...{ place: null, emails: "", rules: bulk },
    answersOf: () => ({ options: {} }),
  });
  const sent = await wire("restore-items", "jira", "project", request);
  expect(sent?.body).toMatchObject({
    items: [{ id: "itm_1", versions: "snp_1", restoredId: "10002", name: null }],
  });
});

test("[P-162] the restore form's name, workspace, place, addresses and project are in the calls of GitHub, Trello and Jira", async () => {
  const place = {
    ...{
      id: "plc_1",
      connectionId: "con_1",
      externalId: "77",
      name: "acme",
      type: "Organization",
      isOwn: false,
    },
    facts: { node_id: "O_77" },
  };
  const of = (id: string) => descriptors.find((each) => each.id === id)!;
  const typed = {
    ...entries,
    into: "new" as const,
    name: "crane two",
    placeId: "plc_1",
    emails: "a@b.co, c@d.co",
  };
  const send = async (platform: string, kindId: string, given: typeof entries) => {
    const places = platform === "jira" ? [] : [place];
    const request = restoreRequest(itemOf(), given, places, restoreRules(of(platform), kindId, places));
    return (await wire("restore-items", platform, kindId, request))?.body;
  };
  const emails = "a@b.co,c@d.co";
  expect(await send("github", "repository", typed)).toMatchObject({
    items: [{ name: "crane two", place: { id: "77", name: "acme", node_id: "O_77", type: "Organization" } }],
    emails,
  });
  expect(await send("trello", "board", typed)).toMatchObject({
    items: [{ name: "crane two", organizationId: { id: "77" } }],
    emails,
  });
  expect(await send("jira", "project", { ...into("10002"), emails: typed.emails })).toMatchObject({
    items: [{ restoredId: "10002" }],
    emails,
  });
});

test("[P-435] a Jira restore that fails shows what to do", async () => {
  const advice = "Unable to restore. Check your account to investigate any limitations.";
  const fail = (fallback: string | undefined) =>
    callPlatform(
      { platform: "jira", does: "restore-items", kind: "project" },
      { items: [] },
      { fallback, fetch: async () => Response.json({ status: "failure" }, { status: 400 }) },
    );
  await expect(fail(restoreWords.jira?.failed)).rejects.toThrow(advice.slice(0, -1));
  const shown = (platform: string, text: string) =>
    textOf(renderScreen(<RestoreFailure platform={platform} text={text} />));
  expect(shown("jira", "Jira answered 403.")).toBe(`Jira answered 403. ${advice}`);
  expect(shown("jira", advice.slice(0, -1))).toBe(advice);
  expect(shown("trello", "Trello answered 403.")).toBe("Trello answered 403.");
});
