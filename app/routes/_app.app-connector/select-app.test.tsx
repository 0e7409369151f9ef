import { expect, test } from "vitest";
import { listOffers } from "#app/money/offers.server.ts";
import { descriptors } from "#connectors/registry/descriptors.generated.ts";
import { renderScreen } from "#tests/harness/render-screen.tsx";
import type { ConnectorApp } from "./queries.server.ts";
import { SelectApp } from "./select-app.tsx";

const app = (id: string, canManage = true): ConnectorApp => ({
  ...{ id, label: id, canManage, isOwner: true, mayConnect: true, installUrl: null, hasStarted: false },
  offer: null,
  ...{ region: "DE", accounts: [], connection: null, isAdding: false },
});
/** The ids of the applications, and of the one that is chosen. */
function drawn(apps: ConnectorApp[], search = "") {
  const html = renderScreen(<SelectApp apps={apps} />, `/app-connector${search}`);
  const radios = [...html.matchAll(/<input[^>]*type="radio"[^>]*>/g)].map(([markup]) => markup);
  const idOf = (markup = "") => /value="([^"]*)"/.exec(markup)?.[1];
  return { ids: radios.map(idOf), chosen: idOf(radios.find((markup) => markup.includes("checked"))) };
}

test("every application is listed, and the first one that may be managed is chosen", () => {
  const apps = [app("github", false), app("gitlab"), app("jira")];
  expect(drawn(apps)).toEqual({ ids: ["github", "gitlab", "jira"], chosen: "gitlab" });
});

test("a platform that only the owner connects is not offered to others before it is connected", () => {
  const theirs = { ...app("notion"), isOwner: false, mayConnect: false };
  expect(drawn([theirs, app("gitlab")]).chosen).toBe("gitlab");
  const html = renderScreen(<SelectApp apps={[theirs]} />, "/app-connector");
  expect(html).toContain("Only the owner connects it");
  const account = {
    id: "con_1",
    name: "Ines",
    accountType: "user",
    workspace: "Depot",
    region: "DE",
  } as const;
  const open = { isRevoked: false, isAutoAdd: false, isConfirmed: true, lostReason: null, credentials: [] };
  expect(drawn([{ ...theirs, accounts: [{ ...account, ...open }] }]).chosen).toBe("notion");
});

test("[B-082] inside Jira's frame Jira is chosen", () => {
  const apps = [app("github"), app("jira")];
  expect(drawn(apps, "?jiraInIframe=true").chosen).toBe("jira");
  expect(drawn(apps, "?jiraInIframe=false").chosen).toBe("github");
  expect(drawn([app("github"), app("jira", false)], "?jiraInIframe=true").chosen).toBe("github");
});

test("each application says in a line what its versions hold, and the chosen one leads to all of it", () => {
  const html = renderScreen(<SelectApp apps={[app("github"), app("notion")]} />, "/app-connector");
  for (const { id, summary } of descriptors.filter(({ id }) => id === "github" || id === "notion"))
    expect([id, html.includes(summary)]).toEqual([id, true]);
  expect(html).toContain('href="/platform/coverage/github"');
});

test("an application that is not connected says what it costs at least", () => {
  const [github, jira] = ["github", "jira"].map((id) => ({
    ...app(id),
    offer: listOffers().find((offer) => offer.id === id) ?? null,
  }));
  const html = renderScreen(<SelectApp apps={[github!, jira!, app("trello")]} />, "/app-connector");
  expect(html.match(/from \$[^<]*/g)).toEqual(["from $12 a month", "from $2.50 a month for each user"]);
});
