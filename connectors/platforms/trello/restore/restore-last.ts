import type { TrelloCard } from "../payloads.ts";
import type { CardState } from "./card-step.ts";

/** A change of a restored card. Its body is built late, because it may need new ids. */
type LastChange = { what: string; body: () => Record<string, unknown> };

/** The last changes of a card: the cover, a reminder, whether the account watches it, then what hides it. */
export function finalState(card: TrelloCard, state: CardState): LastChange[] {
  const changes: LastChange[] = [];
  if (hasCover(card)) changes.push({ what: "Cover", body: () => ({ cover: coverOf(card, state) }) });
  const { dueReminder } = card;
  if (card.due !== null && dueReminder !== null && dueReminder !== -1) {
    changes.push({ what: "Reminder", body: () => ({ dueReminder }) });
  }
  if (card.isTemplate) changes.push({ what: "Template mark", body: () => ({ isTemplate: true }) });
  if (card.subscribed) changes.push({ what: "Watching", body: () => ({ subscribed: true }) });
  if (card.closed) changes.push({ what: "Archived state", body: () => ({ closed: true }) });
  return changes;
}

function hasCover({ cover }: TrelloCard): boolean {
  if (cover === null) return false;
  return cover.idAttachment !== null || cover.color !== null || cover.idUploadedBackground !== null;
}

/** A cover is a colour, one of the card's own files, or one of Trello's pictures. */
function coverOf({ cover }: TrelloCard, state: CardState): Record<string, unknown> {
  if (cover === null) return {};
  const { color, idAttachment, idUploadedBackground, sharedSourceUrl, size, brightness } = cover;
  const look = { ...(size === null ? {} : { size }), ...(brightness === null ? {} : { brightness }) };
  if (idAttachment !== null) return { idAttachment: state.made[idAttachment] ?? null, ...look };
  if (color !== null) return { color, ...look };
  return { idUploadedBackground, ...(sharedSourceUrl === null ? {} : { url: sharedSourceUrl }), ...look };
}
