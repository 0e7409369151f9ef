import type { EventTopic } from "#connectors/contract/note.ts";
import type { TrelloAction } from "../payloads.ts";

type Data = Readonly<Record<string, unknown>>;

/** Describes an entry of a card's history. The sentence continues after the author's name. */
export function actionSentence({ type, data }: TrelloAction): string {
  const facts = data as Data;
  const write = Object.hasOwn(SENTENCES, type) ? SENTENCES[type] : undefined;
  return write === undefined ? `made a change: ${wordsOf(type)}` : write(facts);
}

/** The longest title of an entry. */
const MOST_TITLE = 200;

/** The title of an entry: who did what to which card or list. */
export function actionTitle(action: TrelloAction): string {
  const card = textAt(action.data as Data, "card", "name");
  const sentence = actionSentence(action);
  const what = card === null ? sentence : sentence.replace("this card", () => card);
  const about = card === null || what.includes(card) ? "" : ` on ${card}`;
  return `${actorOf(action)} ${what}${about}`.slice(0, MOST_TITLE);
}

/** The person who did it. */
export function actorOf({ memberCreator }: Pick<TrelloAction, "memberCreator">): string {
  return memberCreator?.fullName || memberCreator?.username || "Somebody";
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
  createBoard: () => "made this board",
  updateBoard: () => "changed this board",
  createList: (data) => `made the list ${nameOf(data, "list")}`,
  updateList: (data) => `changed the list ${nameOf(data, "list")}`,
  addMemberToBoard: (data) => `added ${nameOf(data, "member")} to this board`,
  removeMemberFromBoard: (data) => `took ${nameOf(data, "member")} off this board`,
};

const TOPICS: readonly [RegExp, EventTopic][] = [
  [/label/i, "label"],
  [/member|vote/i, "person"],
  [/attachment/i, "file"],
  [/check/i, "check"],
  [/^(?:move|copy|create|convert|email)/, "move"],
];
/** What a change of a card is about, by the fields that changed. */
const CHANGED: readonly [readonly string[], EventTopic][] = [
  [["idList", "pos"], "move"],
  [["closed", "dueComplete"], "state"],
  [["due", "start"], "date"],
  [["name", "desc"], "text"],
];

/** What an entry of a card's history is about. */
export function actionTopic({ type, data }: TrelloAction): EventTopic | undefined {
  if (type !== "updateCard") return TOPICS.find(([words]) => words.test(type))?.[1];
  const old = objectAt(data as Data, "old");
  return CHANGED.find(([fields]) => fields.some((field) => field in old))?.[1];
}

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
  const known = Object.keys(old).find((key) => Object.hasOwn(FIELDS, key));
  return known === undefined ? "changed this card" : `changed the ${FIELDS[known]}`;
}

/** Names of fields that a person knows. */
const FIELDS: Readonly<Record<string, string>> = {
  idLabels: "labels",
  idMembers: "members",
  idChecklists: "checklists",
  badges: "marks",
  address: "address",
  locationName: "place",
  coordinates: "place",
  isTemplate: "template",
};

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
