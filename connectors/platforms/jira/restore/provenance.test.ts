import { expect, test } from "vitest";
import { type CommentRecord, issueRecordSchema } from "../record-types.ts";
import { isAdf } from "../simulator/adf.ts";
import { docOf, paragraph, textOf } from "./adf-nodes.ts";
import { describedIssue, quietMentions, quotedComment, sprintLabel } from "./provenance.ts";

const ISSUE = issueRecordSchema.parse({
  id: "1",
  key: "OPS-12",
  fields: {
    summary: "Route",
    issuetype: { id: "1", name: "Task" },
    status: { id: "1", name: "To Do" },
    creator: { accountId: "a", displayName: "Ivo Petrov" },
    created: "2026-03-02T10:22:00.000+0000",
    updated: null,
    resolution: { id: "1", name: "Won't Do" },
    resolutiondate: "2026-03-04T10:00:00.000+0000",
  },
});
const NOTHING = { sprints: [], status: null };
const NORA = { accountId: "n", displayName: "Nora" };

test("a restored description tells where it comes from, above the original", () => {
  const doc = describedIssue(ISSUE, docOf([paragraph("Words")]), {
    sprints: ["Sprint 1", "Sprint 2"],
    status: "Waiting",
  });
  expect(textOf(doc)).toBe(
    "Restored from OPS-12, created by Ivo Petrov on 2 March 2026, 10:22 UTC; resolved as Won't Do on 4 March 2026, 10:00 UTC.Status: Waiting.Closed sprints: Sprint 1, Sprint 2.Words",
  );
  expect(isAdf(doc)).toBe(true);
  expect(isAdf(describedIssue(ISSUE, null, NOTHING))).toBe(true);
});

test("a description that would become too long for Jira keeps its words and has no panel", () => {
  const long = docOf([paragraph("x".repeat(31_990))]);
  expect(describedIssue(ISSUE, long, NOTHING)).toBe(long);
});

test("a comment names its author, its time and that it was edited; a gone author too", () => {
  const comment: CommentRecord = {
    ...{ id: "1", author: NORA, updateAuthor: null, body: docOf([paragraph("Yes.")]), jsdPublic: null },
    ...{ created: "2026-03-02T10:22:00.000+0000", updated: "2026-03-03T08:00:00.000+0000", visibility: null },
  };
  expect(textOf(quotedComment(comment, comment.body))).toBe(
    "Nora wrote this on 2 March 2026, 10:22 UTC, edited on 3 March 2026, 08:00 UTC.Yes.",
  );
  const gone = quotedComment({ ...comment, author: null, updated: comment.created }, null);
  expect(textOf(gone)).toBe("somebody whose account is gone wrote this on 2 March 2026, 10:22 UTC.");
  expect(isAdf(gone)).toBe(true);
  const long = docOf([paragraph("x".repeat(31_990))]);
  expect(quotedComment(comment, long)).toBe(long);
});

test("mentions become names, so that nobody is notified", () => {
  const doc = docOf([
    { type: "paragraph", content: [{ type: "mention", attrs: { id: "a", text: "@Ivo" } }] },
  ]);
  const { doc: quiet, isQuieted } = quietMentions(doc);
  expect([textOf(quiet), JSON.stringify(quiet).includes("mention"), isQuieted]).toEqual([
    "@Ivo",
    false,
    true,
  ]);
  const plain = docOf([paragraph("@Ivo")]);
  expect(quietMentions(plain)).toEqual({ doc: plain, isQuieted: false });
});

test("a label of a sprint has no spaces and an end", () => {
  expect(sprintLabel("  OPS Sprint  3 ")).toBe("sprint-OPS-Sprint-3");
  expect(sprintLabel("x".repeat(400))).toHaveLength(255);
});
