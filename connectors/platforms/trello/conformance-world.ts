import { allowInBrowser } from "#tests/conformance/allow-in-browser.ts";
import type { ConformanceWorld } from "#tests/conformance/connector/suite.ts";
import { createLabel } from "./simulator/boards.ts";
import { openTrelloWorld } from "./test-world.ts";

/** Nora's account with a board that has entries of every kind on few cards, so that repeated restores are fast. */
export async function openTrelloConformance(): Promise<ConformanceWorld> {
  const world = await openTrelloWorld({}, { isSmall: true });
  const { state } = world.simulator.world;
  return {
    ...world,
    faults: world.simulator.faults,
    limitShapes: ["key", "token", "member", "database"],
    consent: (url) => allowInBrowser(url, world.accountName),
    isUnpaged: true,
    restorePlace: {
      externalId: world.workspace(),
      name: "Meridian Freight",
      type: "workspace",
      isOwn: false,
      details: null,
    },
    titledKinds: ["list", "label", "card", "attachment"],
    changeItem: async ({ externalId }) => {
      const card = await world.happen<{ id: string }>(`/boards/${externalId}/cards`, {
        name: `Noticed at ${Date.now()}`,
      });
      await world.happen(`/cards/${card.id}/comments`, { text: "Seen again" });
      const [first, second] = state.boards.find(({ id }) => id === externalId)?.cards ?? [];
      await world.happen(`/cards/${first?.id}/edit`, { desc: `Edited at ${Date.now()}` });
      await world.happen(`/cards/${second?.id}/comments`, { text: "Seen there too" });
    },
    makeItem: async ({ titles, attachments }) => {
      const made = await world.makeBoard("Names", { content: "empty" });
      const board = state.boards.find(({ id }) => id === made.externalId);
      if (board === undefined) throw new Error("The board is not there");
      for (const [index, title] of titles.entries()) {
        createLabel(world.simulator.world, board, { name: title, color: "sky" });
        const list = await world.happen<{ id: string }>(`/boards/${board.id}/lists`, { name: title });
        const card = await world.happen<{ id: string }>(`/boards/${board.id}/cards`, {
          name: title,
          list: list.id,
        });
        await world.happen(`/cards/${card.id}/checklists`, { name: title, items: [title] });
        await world.happen(`/cards/${card.id}/comments`, { text: title });
        // The first card gets all files; each other card gets one, so that every card has a file.
        const files = index === 0 ? attachments : [attachments[index % attachments.length] ?? title];
        for (const name of files) await world.happen(`/cards/${card.id}/attachments`, { name, text: title });
      }
      return made;
    },
  };
}
