import type { RestoreWords } from "#connectors/contract/platform-ui.ts";

/** Text shown before a restore. */
export const restoreWords = {
  comesBack: { board: ["The board with its description and every card in its order."] },
  cannot: { board: ["Authors: the platform gives every restored card to the connected account."] },
  addsPart: { card: "At the end of the board." },
} satisfies RestoreWords;
