import { expect, test } from "vitest";
import { descriptors, uis } from "#connectors/registry/descriptors.generated.ts";
import { canManage } from "#core/organisations/permissions.ts";
import { listPageOf, renderInFrame } from "#tests/harness/frame-screen.tsx";
import { textOf } from "#tests/harness/render-screen.tsx";
import { itemOf } from "#tests/harness/view-fixtures.ts";
import { ItemsPage } from "./items-page.tsx";
import type { ItemListPage } from "./queries.server.ts";

/** Lists whose items are consents of people: Notion's. */

const NOW = Date.parse("2026-11-20T13:26:00Z");
const HOUR = 3_600_000;
const notion = descriptors.find(({ id }) => id === "notion");
if (!notion) throw new Error("there is no Notion");
const reminder = uis.notion?.picking?.reminder ?? "";

test("[P-012] [P-013] [P-014] [P-015] [P-016] [P-017] the page lists workspaces, with a search, the owner, Backup now, External storage and Add workspace", () => {
  const html = render(pageOf());
  expect(html).toContain('aria-label="View Meridian Freight"');
  expect(html).toContain('aria-label="Search workspaces"');
  expect(html).toContain('aria-label="Workspace owner: Nora Lindqvist"');
  for (const words of ["Backup now", "External storage", "Add workspace"])
    expect(buttonOf(html, words)).toMatch(/^<button/);
});

test("[P-134] the owner's username and e-mail are cut after 20 characters", () => {
  const [username, email] = ["u".repeat(30), "e".repeat(30)];
  const accounts = [
    { id: "con_1", name: username, needsCare: false, person: { username, email, workspace: null } },
  ];
  const page = pageOf();
  const select = /<button[^>]*place-select[^>]*>(.*?)<\/button>/.exec(render({ ...page, accounts }))?.[1];
  expect(textOf(select ?? "")).toBe(`${"u".repeat(20)}… ${"e".repeat(20)}…`);
});

test("[P-018] [P-019] [P-302] the owner has the help button and Add workspace, and an invited user neither", () => {
  const asOwner = render(pageOf());
  const asInvited = render(pageOf(), { isOwner: false });
  expect(asOwner).toContain('aria-label="How to choose pages"');
  expect(asInvited).not.toContain('aria-label="How to choose pages"');
  expect(textOf(asOwner)).toContain("Add workspace");
  expect(textOf(asInvited)).not.toContain("Add workspace");
  expect(textOf(asInvited)).toContain("Backup now");
});

test("the reminder is shown until it is closed, hidden for the rest of a day, and due again after it", () => {
  const at = (reminderClosedAt: number | null) => textOf(render({ ...pageOf(), reminderClosedAt }));
  expect(reminder).not.toBe("");
  expect(at(null)).toContain(reminder);
  expect(at(NOW - 23 * HOUR)).not.toContain(reminder);
  expect(at(NOW - 24 * HOUR)).toContain(reminder);
});

test("[P-303] Backup now is open for an admin of Notion in a trial or Pro that runs, opens the upgrade dialog in other plans, and is off for others", () => {
  const admin = { role: "member", platformRoles: { notion: "admin" } } as const;
  const user = { role: "member", platformRoles: { notion: "user" } } as const;
  const elsewhere = { role: "member", platformRoles: { github: "admin" } } as const;
  const owner = { role: "owner", platformRoles: {} } as const;
  const active = { isActive: true };
  const ended = { isActive: false, hasProFeatures: false };
  const trial = { plan: "trial", hasProFeatures: true } as const;
  const pro = { plan: "pro", hasProFeatures: true } as const;
  const essential = { plan: "essential", hasProFeatures: false } as const;
  const cases = [
    [owner, { ...trial, ...active }, "open"],
    [admin, { ...trial, ...active }, "open"],
    [admin, { ...pro, ...active }, "open"],
    [admin, { ...essential, ...active }, "upgrade"],
    [admin, { plan: "trial", ...ended }, "upgrade"],
    [admin, { plan: "pro", ...ended }, "upgrade"],
    [admin, { plan: "none", ...ended }, "upgrade"],
    [user, { ...pro, ...active }, "off"],
    [elsewhere, { ...pro, ...active }, "off"],
  ] as const;
  for (const [asker, plan, wanted] of cases) {
    const page = pageOf();
    const mayManage = canManage(asker, "notion");
    const html = render({
      ...page,
      canManage: mayManage,
      list: { ...page.list, canUserBackup: mayManage && plan.hasProFeatures },
      entitlements: { ...page.entitlements, ...plan },
    });
    const isOff = buttonOf(html, "Backup now").includes('aria-disabled="true"');
    expect([asker, plan, isOff]).toEqual([asker, plan, wanted === "off"]);
  }
});

/** The opening tag of the first button with this text. */
const buttonOf = (html: string, words: string) =>
  html.match(new RegExp(`<button[^>]*>(?=(?:(?!</button>).)*${words})`, "s"))?.[0] ?? "";

function pageOf(): ItemListPage {
  const item = itemOf({
    platform: "notion",
    kind: "workspace",
    name: "Meridian Freight",
    fullName: "Meridian Freight",
    placeId: null,
    tags: [],
    lastBackupAt: NOW - HOUR,
  });
  const page = listPageOf(notion!, { items: [item] }, NOW);
  const name = "Nora Lindqvist";
  const person = { username: name, email: "nora@meridian.example", workspace: "Meridian Freight" };
  return {
    ...page,
    places: [],
    query: { ...page.query, placeId: null },
    connection: { ...page.connection, name },
    accounts: [{ id: "con_1", name, needsCare: false, person }],
  };
}

function render(page: ItemListPage, { isOwner = true } = {}): string {
  const address = { pathname: "/platform/dashboard/notion" };
  return renderInFrame(<ItemsPage page={page} />, address, NOW, [], isOwner);
}
