import type { RestoreEvent } from "#connectors/contract/platform-connector.ts";
import { paths } from "../client.ts";
import type { TrelloBoard } from "../payloads.ts";
import type { RestoreIo } from "./restore-io.ts";
import { isRefusal, reasonOf } from "./restore-refusal.ts";

/** Sets the preferences that need an existing board, then its description and whether the account watches it. */
export async function* restoreSettings(
  { client, boardId }: Pick<RestoreIo, "client" | "boardId">,
  source: TrelloBoard,
): AsyncGenerator<RestoreEvent, void> {
  const put = (body: Record<string, unknown>, about: string) =>
    client.send({ method: "PUT", path: paths.board(boardId), body, about, missing: "forbidden" });
  for (const { key, what, value } of laterPreferences(source)) {
    try {
      await put({ [`prefs/${key}`]: value }, `the preference ${key}`);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      yield { type: "changed", what, reason: reasonOf(error) };
    }
  }
  // Last, because it overwrites the mark by which a creation without a response is found.
  await put({ desc: source.desc, ...(source.subscribed && { subscribed: true }) }, "the restored board");
}

/** Preferences that differ from a new board's and cannot be set at creation. */
export function laterPreferences({ prefs }: TrelloBoard): { key: string; what: string; value: unknown }[] {
  return LATER.map(([key, what]) => ({ key, what, value: prefs[key] })).filter(
    ({ key, value }) => value !== undefined && value !== null && value !== false && value !== DEFAULTS[key],
  );
}

const LATER = [
  ["background", "Background"],
  ["cardAging", "Ageing of cards"],
  ["hideVotes", "Hidden votes"],
  ["calendarFeedEnabled", "Calendar feed"],
] as const;

/** Preferences of a new board. */
const DEFAULTS: Readonly<Record<string, string>> = { background: "blue", cardAging: "regular" };
