import { expect, test } from "vitest";
import { z } from "zod";
import { issueSentence } from "./issue-sentence.ts";

const schema = z.strictObject({
  id: z.string().min(1).max(5),
  page: z.number().int().min(0).max(9).optional(),
  ids: z.array(z.string()).min(1).max(2).optional(),
  kind: z.enum(["user", "admin"]).optional(),
  mail: z.email().optional(),
  project: z.union([z.string().min(1), z.number().int().min(1)]).optional(),
  own: z
    .string()
    .refine((text) => text === "x", "Say x.")
    .optional(),
});

function said(input: unknown): string {
  const issue = schema.safeParse(input).error!.issues[0]!;
  return issueSentence(issue, issue.path.map(String).join("."));
}

test.each<[unknown, string]>([
  [null, "The request must be an object."],
  [[], "The request must be an object."],
  [{}, "id is missing."],
  [{ id: 5 }, "id must be a text."],
  [{ id: "" }, "id must have at least 1 character."],
  [{ id: "123456" }, "id must have at most 5 characters."],
  [{ id: "a", page: "0" }, "page must be a number."],
  [{ id: "a", page: 0.5 }, "page must be a whole number."],
  [{ id: "a", page: -1 }, "page must be at least 0."],
  [{ id: "a", page: 10 }, "page must be at most 9."],
  [{ id: "a", ids: [] }, "ids must have at least 1 entry."],
  [{ id: "a", ids: ["1", "2", "3"] }, "ids must have at most 2 entries."],
  [{ id: "a", ids: ["1", null] }, "ids.1 must be a text."],
  [{ id: "a", kind: "root" }, "kind must be one of user, admin."],
  [{ id: "a", mail: "nobody" }, "mail does not have the form that is expected."],
  [{ id: "a", project: null }, "project must be a text or a number."],
  [{ id: "a", project: "" }, "project must have at least 1 character."],
  [{ id: "a", own: "y" }, "own: Say x."],
  [{ id: "a", ["x".repeat(80)]: 1 }, `The request has a field that is not known: ${"x".repeat(50)}.`],
])("%j is refused in a sentence", (input, sentence) => {
  expect(said(input)).toBe(sentence);
});

test("a missing value that may have several forms is called missing", () => {
  const either = z.object({ projectId: z.union([z.string(), z.number()]).transform(String) });
  const issue = either.safeParse({}).error!.issues[0]!;
  expect(issueSentence(issue, "projectId")).toBe("projectId is missing.");
});
