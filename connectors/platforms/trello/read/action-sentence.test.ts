import { expect, test } from "vitest";
import type { TrelloAction } from "../payloads.ts";
import { actionSentence, actionTitle, actionTopic } from "./action-sentence.ts";

const actionOf = (type: string, data: object, fullName: string | null = "Mara Weiss") =>
  ({ id: "1", type, data, memberCreator: fullName && { fullName } }) as unknown as TrelloAction;
const card = { id: "c", name: "Timber to Rostock" };

test("the title of a history entry says who did what to which card", () => {
  const moved = {
    card,
    old: { idList: "l" },
    listBefore: { name: "On the road" },
    listAfter: { name: "Delivered" },
  };
  expect(actionTitle(actionOf("updateCard", moved))).toBe(
    "Mara Weiss moved Timber to Rostock from On the road to Delivered",
  );
  expect(actionTitle(actionOf("addChecklistToCard", { card, checklist: { name: "Papers" } }))).toBe(
    "Mara Weiss added the checklist Papers on Timber to Rostock",
  );
  expect(actionTitle(actionOf("deleteComment", {}, null))).toBe("Somebody deleted a comment");
});

test("fields have the names that people know, and an unknown field has none", () => {
  expect(actionSentence(actionOf("updateCard", { old: { idLabels: [] } }))).toBe("changed the labels");
  expect(actionSentence(actionOf("updateCard", { old: { nodeId: "x" } }))).toBe("changed this card");
  expect(actionSentence(actionOf("makeAdminOfBoard", {}))).toBe("made a change: make admin of board");
});

test("an entry names what it is about, by its type or by the fields that changed", () => {
  const topics = (type: string, data: object = {}) => actionTopic(actionOf(type, data));
  expect(topics("addLabelToCard")).toBe("label");
  expect(topics("removeMemberFromCard")).toBe("person");
  expect(topics("updateCheckItemStateOnCard")).toBe("check");
  expect(topics("updateCard", { old: { idList: "l" } })).toBe("move");
  expect(topics("updateCard", { old: { due: null } })).toBe("date");
  expect(topics("updateCard", { old: { nodeId: "x" } })).toBeUndefined();
  expect(topics("deleteComment")).toBeUndefined();
});
