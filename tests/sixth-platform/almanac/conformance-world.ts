import { allowInBrowser } from "#tests/conformance/allow-in-browser.ts";
import type { ConformanceWorld } from "#tests/conformance/connector/suite.ts";
import { openAlmanacWorld } from "./test-world.ts";

/** Nora's first site with a book that has entries of every kind. */
export async function openAlmanacConformance(): Promise<ConformanceWorld> {
  const world = await openAlmanacWorld();
  const { happen, simulator } = world;
  return {
    ...world,
    faults: simulator.faults,
    limitShapes: ["site", "burst"],
    consent: (url) => allowInBrowser(url, world.login),
    otherTokens: async () => ({ readers: await world.issueToken("readers") }),
    places: "none",
    titledKinds: ["page", "register", "row", "file"],
    changeItem: async ({ externalId }) => {
      const { pages } = await world.read({ externalId });
      const page = await happen<{ id: string }>(`/books/${externalId}/pages`, {
        ...{ title: `Noticed at ${Date.now()}`, parentId: pages[0]?.id },
        files: [{ name: "note.txt", text: "Seen" }],
      });
      await happen(`/books/${externalId}/comments`, { pageId: page.id, text: "Seen again" });
      await happen(`/books/${externalId}/pages/${pages[1]?.id}/edit`, { text: `Edited at ${Date.now()}` });
    },
    makeItem: async ({ titles, attachments }) => {
      const made = await world.makeBook("Names");
      const path = `/books/${made.externalId}`;
      for (const [index, title] of titles.entries()) {
        // The first page gets all files; each other one gets one, so that every page has a file.
        const names = index === 0 ? attachments : [attachments[index % attachments.length] ?? title];
        const files = names.map((name) => ({ name, text: title }));
        await happen(`${path}/pages`, { title, text: title, files });
        const register = await happen<{ id: string }>(`${path}/registers`, { title });
        await happen(`${path}/rows`, { registerId: register.id, title, files: files.slice(0, 1) });
      }
      return made;
    },
  };
}
