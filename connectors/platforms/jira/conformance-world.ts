import { allowInBrowser } from "#tests/conformance/allow-in-browser.ts";
import type { ConformanceWorld } from "#tests/conformance/connector/suite.ts";
import { openJiraWorld } from "./test-world.ts";

/** Nora's site with a project that has something of every kind. */
export async function openJiraConformance(): Promise<ConformanceWorld> {
  const world = await openJiraWorld();
  const { simulator, site, happen } = world;
  const item = await world.makeProject("QUAY", { name: "Quay works", content: "full" });
  const doomed = await world.makeProject("OLD", { name: "Old tariffs" });
  await world.makeProject("QUAY2", { name: "quay works, second half" });
  const issuesOf = (externalId: string) => site.issues.filter(({ projectId }) => projectId === externalId);
  const keyOf = (externalId: string) => world.projectOf({ externalId, fullName: "" }).key;
  return {
    ...{ item, doomed, config: world.config, connectionDetails: world.connectionDetails },
    accountName: site.name,
    kind: "project",
    places: "none",
    issueToken: () => world.issueToken(),
    consent: (url) => allowInBrowser(`${url}&site=${site.cloudId}`, "nora@meridian.example"),
    faults: simulator.faults,
    limitShapes: ["global", "tenant", "burst", "issue"],
    titledKinds: ["component", "attachment"],
    fingerprint: async ({ externalId }) =>
      JSON.stringify(await happen(`/sites/meridian/projects/${externalId}/dump`)),
    deleteItem: async ({ externalId }) =>
      void (await happen(`/sites/meridian/projects/${externalId}/delete`, { how: "purge" })),
    revoke: async () => void (await happen("/token/revoke", {})),
    exhaustQuota: async (resetAt) => {
      const action = { kind: "rate-limit", shape: "global", resetAt: resetAt / 1_000 } as const;
      simulator.faults.add({ match: { path: "^/ex/jira" }, times: 100, action });
    },
    changeItem: async ({ externalId }) => {
      const key = keyOf(externalId);
      const made = await world.makeIssue(key, `Noticed at ${Date.now()}`, { text: "New" });
      await happen(`/sites/meridian/issues/${made.key}/comments`, { text: "Seen again" });
      const [first, second] = issuesOf(externalId);
      const at = (issue: { number: number } | undefined) => `${key}-${issue?.number}`;
      await happen(`/sites/meridian/issues/${at(first)}/edit`, {
        fields: { summary: `Edited ${Date.now()}` },
      });
      await happen(`/sites/meridian/issues/${at(second)}/comments`, { text: "Seen there too" });
      await happen(`/sites/meridian/issues/${at(second)}/attachments`, { fileName: "new.txt", text: "new" });
    },
    makeItem: async ({ titles, attachments }) => {
      const made = await world.makeProject(`NAMES${site.projects.length}`, { name: "Names" });
      for (const [index, title] of titles.entries()) {
        const component = title.slice(0, 200);
        await happen(`/sites/meridian/projects/${made.key}/components`, { name: component });
        const issue = await world.makeIssue(made.key, title.slice(0, 250), { text: title });
        await happen(`/sites/meridian/issues/${issue.key}/comments`, { text: title });
        const files = index === 0 ? attachments : [attachments[index % attachments.length] ?? title];
        for (const fileName of files) {
          await happen(`/sites/meridian/issues/${issue.key}/attachments`, { fileName, text: title });
        }
      }
      return made;
    },
    stop: () => world.stop(),
  };
}
