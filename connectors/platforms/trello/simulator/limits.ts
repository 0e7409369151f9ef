import type { TrelloSettings } from "./state.ts";

/** One limit as the API shows it. */
export type Limit = { status: "ok" | "warn" | "disabled" | "maxExceeded"; disableAt: number; warnAt: number };

const limit = (disableAt: number, count = 0): Limit => {
  const warnAt = Math.floor(disableAt * 0.8);
  const status =
    count > disableAt ? "maxExceeded" : count === disableAt ? "disabled" : count >= warnAt ? "warn" : "ok";
  return { status, disableAt, warnAt };
};

/** Limits of a board; open cards and open lists are counted. */
export function boardLimits(settings: TrelloSettings, counts: { openCards: number; openLists: number }) {
  return {
    attachments: { perBoard: limit(36_000), perCard: limit(settings.attachmentLimit) },
    boards: { totalMembersPerBoard: limit(1_600), totalAccessRequestsPerBoard: limit(4_000) },
    cards: {
      openPerBoard: limit(settings.openCardLimit, counts.openCards),
      openPerList: limit(settings.openCardLimit),
      totalPerBoard: limit(2_000_000),
      totalPerList: limit(1_000_000),
    },
    checklists: { perBoard: limit(1_800_000), perCard: limit(settings.checklistLimit) },
    checkItems: { perChecklist: limit(settings.checkItemLimit) },
    customFields: { perBoard: limit(settings.customFieldLimit) },
    customFieldOptions: { perField: limit(settings.optionLimit) },
    labels: { perBoard: limit(settings.labelLimit) },
    lists: { openPerBoard: limit(settings.openListLimit, counts.openLists), totalPerBoard: limit(3_000) },
    stickers: { perCard: limit(settings.stickerLimit) },
    reactions: { perAction: limit(900), uniquePerAction: limit(17) },
  };
}

/** Limits of a card. */
export function cardLimits(
  settings: TrelloSettings,
  counts: { attachments: number; checklists: number; stickers: number },
) {
  return {
    attachments: { perCard: limit(settings.attachmentLimit, counts.attachments) },
    checklists: { perCard: limit(settings.checklistLimit, counts.checklists) },
    stickers: { perCard: limit(settings.stickerLimit, counts.stickers) },
  };
}

/** Limits of a list. */
export function listLimits(settings: TrelloSettings) {
  return { cards: { openPerList: limit(settings.openCardLimit), totalPerList: limit(1_000_000) } };
}

/** Limits of a custom field. */
export function fieldLimits(settings: TrelloSettings) {
  return { customFieldOptions: { perField: limit(settings.optionLimit) } };
}

/** Limits of a comment; other actions have none. */
export const COMMENT_LIMITS = { reactions: { perAction: limit(900), uniquePerAction: limit(17) } };
