import type { TrelloAction } from "../payloads.ts";

type Data = Readonly<Record<string, unknown>>;

/** Describes an entry of a card's history. The sentence continues after the author's name. */
export function actionSentence({ type, data }: TrelloAction): string {
  const facts = data as Data;
  const write = Object.hasOwn(SENTENCES, type) ? SENTENCES[type] : undefined;
  return write === undefined ? wordsOf(type) : write(facts);
}

const SENTENCES: Readonly<Record<string, (data: Data) => string>> = {
  createCard: (data) => `made this card in ${nameOf(data, "list")}`,
  copyCard: (data) => `copied this card from ${nameOf(data, "cardSource")}`,
  emailCard: () => "sent this card by e-mail",
  convertToCardFromCheckItem: (data) => `made this card from an item of ${nameOf(data, "cardSource")}`,
  moveCardToBoard: (data) => `moved this card here from ${nameOf(data, "boardSource")}`,
  moveCardFromBoard: (data) => `moved this card to ${nameOf(data, "boardTarget")}`,
  updateCard: changeSentence,
  addMemberToCard: (data) => `put ${nameOf(data, "member")} on this card`,
  removeMemberFromCard: (data) => `took ${nameOf(data, "member")} off this card`,
  addLabelToCard: (data) => `added the label ${labelOf(data)}`,
  removeLabelFromCard: (data) => `took the label ${labelOf(data)} away`,
  addAttachmentToCard: (data) => `attached ${nameOf(data, "attachment")}`,
  deleteAttachmentFromCard: (data) => `deleted the attachment ${nameOf(data, "attachment")}`,
  addChecklistToCard: (data) => `added the checklist ${nameOf(data, "checklist")}`,
  removeChecklistFromCard: (data) => `deleted the checklist ${nameOf(data, "checklist")}`,
  updateChecklist: (data) => `changed the checklist ${nameOf(data, "checklist")}`,
  createCheckItem: (data) => `added the item ${nameOf(data, "checkItem")}`,
  deleteCheckItem: (data) => `deleted the item ${nameOf(data, "checkItem")}`,
  updateCheckItem: (data) => `changed the item ${nameOf(data, "checkItem")}`,
  updateCheckItemStateOnCard: (data) =>
    textAt(data, "checkItem", "state") === "complete"
      ? `ticked ${nameOf(data, "checkItem")}`
      : `unticked ${nameOf(data, "checkItem")}`,
  updateCustomFieldItem: (data) => `changed the field ${nameOf(data, "customField")}`,
  voteOnCard: ({ voted }) => (voted === false ? "took their vote back" : "voted for this card"),
  deleteComment: () => "deleted a comment",
};

/** `old` holds the changed fields with their previous values. */
function changeSentence(data: Data): string {
  const old = objectAt(data, "old");
  if ("idList" in old || data.listAfter !== undefined)
    return `moved this card from ${nameOf(data, "listBefore")} to ${nameOf(data, "listAfter")}`;
  if ("closed" in old) return old.closed === true ? "sent this card back to the board" : "archived this card";
  if ("name" in old) return `renamed this card from ${String(old.name)}`;
  if ("desc" in old) return "changed the description";
  if ("due" in old)
    return textAt(data, "card", "due") === null ? "took the due date away" : "set the due date";
  if ("dueComplete" in old)
    return old.dueComplete === true ? "marked this card as not done" : "marked this card as done";
  if ("start" in old) return "changed the start date";
  if ("pos" in old) return "moved this card up or down";
  if ("cover" in old || "idAttachmentCover" in old) return "changed the cover";
  const [key] = Object.keys(old);
  return key === undefined ? "changed this card" : `changed ${wordsOf(key)}`;
}

function objectAt(data: Data, key: string): Data {
  const value = data[key];
  return typeof value === "object" && value !== null ? (value as Data) : {};
}

function textAt(data: Data, key: string, name: string): string | null {
  const value = objectAt(data, key)[name];
  return typeof value === "string" && value !== "" ? value : null;
}

/** The name of a thing in an entry; deleted things have lost theirs. */
function nameOf(data: Data, key: string): string {
  return textAt(data, key, "name") ?? "something that is gone";
}

function labelOf(data: Data): string {
  const text = typeof data.text === "string" && data.text !== "" ? data.text : null;
  return text ?? textAt(data, "label", "name") ?? textAt(data, "label", "color") ?? "without a name";
}

/** `addStickerToCard` becomes "add sticker to card". */
function wordsOf(type: string): string {
  return type.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
}
