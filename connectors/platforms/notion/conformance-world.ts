import type { ConformanceWorld } from "#tests/conformance/connector/suite.ts";
import { openNotionWorld } from "./test-world.ts";

/** Nora's workspace with a page that has content of every kind, and a table with every kind of property. */
export async function openNotionConformance(): Promise<ConformanceWorld> {
  const world = await openNotionWorld();
  const { happen, simulator, tops, workspaceId } = world;
  const { id: home } = await happen("pages", { title: "Quay 7", content: "fleet" });
  await happen("pages", {
    title: "Second page",
    text: "Little",
    files: [{ name: "note.txt", text: "Seen" }],
  });
  const originals = tops();
  const item = { externalId: workspaceId, fullName: "Meridian Freight" };
  return {
    ...world,
    kind: "workspace",
    item,
    doomed: item,
    deleteItem: async () => {
      throw new Error("The only item of an account is not deleted");
    },
    places: "none",
    hasNoChallenge: true,
    faults: simulator.faults,
    limitShapes: ["requests"],
    titledKinds: ["page", "database", "data-source", "row", "template", "view", "file"],
    // What a page consists of: it is shown as the page.
    partKinds: ["blocks", "roots"],
    single: {
      things: async () => tops(),
      tokenFor: ({ externalId }) => world.tokenFor([externalId]),
      tidy: async () => void (await happen("shared-pages", { pages: originals })),
    },
    consent: async (url) => {
      const form = new URLSearchParams(new URL(url).searchParams);
      form.set("place", `nora ${workspaceId}`);
      form.set("decision", "allow");
      for (const id of originals) form.append("page", id);
      const answer = await fetch(new URL(url).origin + new URL(url).pathname, {
        ...{ method: "POST", body: form, redirect: "manual" },
      });
      return new URL(answer.headers.get("location") ?? "").searchParams;
    },
    fingerprint: async () =>
      JSON.stringify(await Promise.all(originals.map((id) => happen(`things/${id}/dump`)))),
    changeItem: async () => {
      const page = await happen("pages", { title: `Noticed at ${Date.now()}`, parentId: home, text: "Seen" });
      await happen("comments", { onId: page.id, text: "Seen again" });
      await happen(`pages/${home}/edit`, { text: `Edited at ${Date.now()}` });
    },
    makeItem: async ({ titles, attachments }) => {
      const made = await happen("pages", { title: "Names" });
      for (const [index, title] of titles.entries()) {
        // The first page gets all files; each other one gets one, so that every page has a file.
        const names = index === 0 ? attachments : [attachments[index % attachments.length] ?? title];
        const files = names.map((name) => ({ name, text: title }));
        await happen("pages", { title, text: title, parentId: made.id, files });
      }
      await happen("tables", { title: titles[0] ?? "Table", parentId: made.id, rows: titles });
      return { externalId: made.id, fullName: "Names" };
    },
    exhaustQuota: async (resetAt) => {
      const retryAfter = String(Math.ceil((resetAt - Date.now()) / 1_000));
      const action = { kind: "rate-limit", shape: "requests", retryAfter } as const;
      simulator.faults.add({ match: {}, times: 1_000, action });
    },
  };
}
