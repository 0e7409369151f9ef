import { tidyJson } from "#connectors/toolkit/records/tidy-json.ts";
import type { Json } from "#core/kernel/canonical-json.ts";
import type { BoardTree, TrelloAction, TrelloCard, TrelloChecklist } from "./payloads.ts";

/** Fields that change by themselves, are derived from other fields, or describe us instead of the thing. */
const VOLATILE = new Set([
  "badges",
  "limits",
  "descData",
  "nameData",
  "textData",
  "checkItemStates",
  "labels",
  "idChecklists",
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

/** Lists without a meaningful order; ordered things have `pos`. */
const UNORDERED = new Set(["idLabels", "idMembers", "idMembersVoted", "powerUps", "idTags"]);

/** A copy without volatile fields, so that equal content gives equal bytes. */
export function recordForm(value: unknown): Json {
  return tidyJson(value as Json, (key, member) => {
    if (VOLATILE.has(key) || member === undefined) return undefined;
    // Whether the connected account watches it.
    if (key === "subscribed" && member !== true) return undefined;
    if (UNORDERED.has(key) && Array.isArray(member)) return [...member].sort() as Json;
    return member;
  });
}

/** The board itself. Lists, cards and the rest have their own records; its last activity is derived from theirs. */
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

/** A card with everything on it, in an order that does not depend on the response. */
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

/** An entry of the history. Its author is reduced to id, username and full name. */
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

/** Sorts by a key in code unit order. */
export function sortedBy<T>(all: readonly T[], keyOf: (member: T) => string): T[] {
  return all.toSorted((one, other) => {
    const [a, b] = [keyOf(one), keyOf(other)];
    return a < b ? -1 : Number(a > b);
  });
}
