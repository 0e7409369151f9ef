import { tidyJson } from "#connectors/toolkit/records/tidy-json.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import type { BoardTree, TrelloAction, TrelloCard, TrelloChecklist } from "./payloads.ts";

/** What changes by itself, is derived from what a record holds, or is about us and not the thing. */
const VOLATILE = new Set([
  "badges",
  "limits",
  "descData",
  "nameData",
  "textData",
  "checkItemStates",
  "labels",
  "idChecklists",
  "subscribed",
  "starred",
  "boardStars",
  "pinned",
  "dateLastView",
  "ixUpdate",
  "nodeId",
  "email",
  "staticMapUrl",
  "previews",
  "edgeColor",
  "scaled",
  "backgroundImageScaled",
  "imageScaled",
  "softLimit",
  "premiumFeatures",
  "enterpriseOwned",
  "templateGallery",
  "avatarHash",
  "avatarUrl",
  "activityBlocked",
  "nonPublic",
  "nonPublicAvailable",
  "uses",
  "datasource",
  "idMemberReferrer",
  "myPrefs",
  "canBePublic",
  "canBeEnterprise",
  "canBeOrg",
  "canBePrivate",
  "canInvite",
]);

/** Lists whose order means nothing: what has a place says so in `pos`. */
const UNORDERED = new Set(["idLabels", "idMembers", "idMembersVoted", "powerUps", "idTags"]);

/** A copy without what is volatile, so that equal content gives equal bytes. */
export function recordForm(value: unknown): Json {
  return tidyJson(value as Json, (key, member) => {
    if (VOLATILE.has(key) || member === undefined) return undefined;
    if (UNORDERED.has(key) && Array.isArray(member)) return [...member].sort() as Json;
    return member;
  });
}

/** The board itself; its lists, cards and the rest are records of their own. Its last activity follows from theirs. */
export function boardForm(tree: BoardTree): Json {
  const {
    lists: _lists,
    labels: _labels,
    customFields: _fields,
    members: _members,
    memberships: _memberships,
    pluginData: _pluginData,
    checklists: _checklists,
    cards: _cards,
    organization: _organization,
    dateLastActivity: _activity,
    ...board
  } = tree as BoardTree & { dateLastActivity?: unknown };
  return recordForm(board);
}

/** A card with everything on it, in an order that does not depend on the answer. */
export function cardForm(card: TrelloCard): Json {
  const { checklists, attachments, stickers, customFieldItems, ...facts } = card;
  return recordForm({
    ...facts,
    checklists: sortedBy(checklists, idOf).map(tidyChecklist),
    attachments: sortedBy(attachments, idOf),
    stickers: sortedBy(stickers, idOf),
    customFieldItems: sortedBy(customFieldItems, ({ idCustomField }) => idCustomField),
  });
}

function tidyChecklist(checklist: TrelloChecklist) {
  return { ...checklist, checkItems: sortedBy(checklist.checkItems, idOf) };
}

/** An entry of the history; of its author what names him. */
export function actionForm(action: TrelloAction): Json {
  const { memberCreator, display: _display, entities: _entities, ...facts } = action;
  const author = memberCreator && {
    id: (memberCreator.id as string | undefined) ?? action.idMemberCreator,
    username: memberCreator.username,
    fullName: memberCreator.fullName,
  };
  return recordForm({ ...facts, memberCreator: author });
}

const idOf = ({ id }: { id: string }) => id;

/** Sorted by a key, in the order of code units. */
export function sortedBy<T>(all: readonly T[], keyOf: (member: T) => string): T[] {
  return all.toSorted((one, other) => {
    const [a, b] = [keyOf(one), keyOf(other)];
    return a < b ? -1 : Number(a > b);
  });
}
