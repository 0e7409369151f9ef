import { expect, test } from "vitest";
import { readAddress } from "#app/routes/_app.platform.backups.$platform/address.ts";
import type { ItemMarks } from "#connectors/contract/item-marks.ts";
import { marksOf as gitlabMarksOf } from "#connectors/platforms/gitlab/marks.ts";
import { marksOf as jiraMarksOf } from "#connectors/platforms/jira/marks.ts";
import { marksOf } from "#connectors/platforms/trello/marks.ts";
import { descriptors } from "#connectors/registry/descriptors.generated.ts";
import type { ItemView } from "#core/inventory/views.ts";
import { listPageOf, renderInFrame } from "#tests/harness/frame-screen.tsx";
import { itemOf, progressOf } from "#tests/harness/view-fixtures.ts";
import { ItemsPage } from "./items-page.tsx";
import type { ItemListPage } from "./queries.server.ts";

const NOW = Date.parse("2026-11-20T13:26:00Z");
const MINUTE = 60_000;
const [descriptor] = descriptors;
if (!descriptor) throw new Error("the registry is empty");
const [kind] = descriptor.itemKinds;
if (!kind) throw new Error("the platform has no kind");

const itemView = (change: Partial<ItemView> = {}) =>
  itemOf({
    platform: descriptor.id,
    kind: kind.id,
    name: "docs",
    fullName: "acme/docs",
    lastBackupAt: NOW - 24 * MINUTE,
    sizeBytes: 19_800_000,
    ...change,
  });

test("[P-043] [P-044] the header has the platform's title and the list a search field", () => {
  const screen = render(pageOf());
  expect(screen.querySelector("h1")).toContain(descriptor.label);
  expect(screen.all).toContain(`aria-label="Search ${kind.many}"`);
});

test("[P-056] [P-057] [P-058] [P-059] [P-060] [P-061] the table has a column for each fact", () => {
  const heads = render(pageOf()).heads;
  expect(heads).toEqual(["", "Daily backup", "Name", "Last backup", "Backup size", "Status", "Actions"]);
});

test("[P-062] [P-063] [P-064] every row offers Delete, View and Restore", () => {
  const items = ["docs", "site", "crane"].map((name) => itemView({ id: `itm_${name}`, name }));
  const { all } = render(pageOf({ items }));
  for (const { name } of items) {
    for (const action of ["Delete", "View", "Restore"])
      expect(all).toContain(`aria-label="${action} ${name}"`);
  }
});

test("a row shows its name with the tag, its last backup in the member's time zone, its size and state", () => {
  const { text } = render(pageOf());
  for (const part of ["docs", "PVT", "20 Nov 14:02", "24 m ago", "19.8\u00a0MB", "Protected"]) {
    expect(text).toContain(part);
  }
});

test("[P-051] the list of a second kind has its own search and Add button", () => {
  const gists = descriptors.find(({ id }) => id === "github")?.itemKinds.find(({ id }) => id === "gist");
  const query = { ...pageOf().query, kind: gists?.id ?? "", placeId: null };
  const { all, text } = render({ ...pageOf(), platform: "github", query }, "?kind=gist");
  expect(text).toContain("Add gists");
  expect(all).toContain('aria-label="Search gists"');
  expect(all).toContain('aria-label="Place: nora Gists"');
  expect(all).toMatch(/href="\/platform\/backups\/[a-z]+\?[^"]*type=sub/);
});

test("[P-067] the footer shows the rows of this page and of the list, and buttons if there are more", () => {
  const { text, all } = render(pageOf({ total: 18 }));
  expect(text).toContain("Showing 1 to 10 of 18");
  expect(all).toContain(">Next<");
  expect(render(pageOf({ total: 10 })).all).not.toContain(">Next<");
});

test("a list shows the filters that find something and the one that is on, and what other places hold", () => {
  const { list, query, ...page } = pageOf();
  const counts = { ...list.counts, alarm: 2, paused: 1, stale: 100 };
  const chips = (search: string, filter: "all" | "failed" = "all") =>
    render({ ...page, query: { ...query, filter }, list: { ...list, counts } }, search).text.match(
      /All 1.*?(?=Daily)/,
    )?.[0];
  expect(chips("")).toBe("All 1Alarm 2Stale 99+Paused 1");
  expect(chips("?filter=failed", "failed")).toBe("All 1Failed 0Alarm 2Stale 99+Paused 1");
  expect(render(pageOf()).text).not.toContain("in other places");
  const [held] = list.holdings;
  const others = [{ ...held!, placeId: "plc_2", count: 6 }];
  const places = [...page.places, { ...page.places[0]!, id: "plc_2", name: "meridian" }];
  const holdings = [...list.holdings, ...others];
  expect(render({ ...page, places, query, list: { ...list, holdings } }).text).toMatch(
    /1 [a-z]+ here, 6 in other places/,
  );
});

test("[P-180] [P-181] an item without a backup can neither be switched nor restored", () => {
  const item = itemView({
    status: "initialized",
    lastBackupAt: null,
  });
  const { tag } = render(pageOf({ items: [item] }));
  expect(tag('aria-label="Daily backup of docs"')).toContain("disabled");
  expect(tag('aria-label="Restore docs"')).toContain('aria-disabled="true"');
});

test("[P-184] a deleted item can still be restored", () => {
  const item = itemView({ status: "deleted", isDaily: false });
  expect(render(pageOf({ items: [item] })).tag('aria-label="Restore docs"')).not.toContain("aria-disabled");
});

test("[P-186] [P-187] a running backup and a running restore each show a badge", () => {
  const of = (kindOfRun: "backup" | "restore") => itemView({ activeRun: progressOf({ kind: kindOfRun }) });
  expect(render(pageOf({ items: [of("backup")] })).text).toContain("Backing up");
  expect(render(pageOf({ items: [of("restore")] })).text).toContain("Restoring");
});

test("[A-113] [P-054] a running action shows its badge and a link to the platform", () => {
  const running = render(pageOf({ items: [itemView({ activeRun: progressOf({ kind: "backup" }) })] }));
  expect(running.text).toContain("1 backup");
  const restoring = render(pageOf({ items: [itemView({ activeRun: progressOf({ kind: "restore" }) })] }));
  expect(restoring.text).toContain("1 restore");
  expect(running.all).toMatch(
    new RegExp(`<a [^>]*href="${descriptor.homeUrl}" target="_blank"[^>]*>Visit ${descriptor.label}<`),
  );
  expect(render(pageOf()).text).not.toContain(`Visit ${descriptor.label}`);
});

test("progress shows phase, amount, time and bytes, and a bar", () => {
  const item = itemView({
    activeRun: progressOf({
      done: 412,
      total: 980,
      startedAt: NOW - 2 * MINUTE,
      expectedEndAt: NOW + 6 * MINUTE,
    }),
  });
  const { text, tag } = render(pageOf({ items: [item] }));
  for (const part of ["Receiving objects", "412 of 980", "2 m elapsed", "38.4\u00a0MB"])
    expect(text).toContain(part);
  expect(tag('role="progressbar"')).toContain('aria-valuenow="25"');
});

test("a waiting run says why and when it continues, and a queued one that it waits for its turn", () => {
  const resting = { status: "queued" as const, waitingUntil: NOW + 5 * MINUTE };
  const textOf = (run: Parameters<typeof progressOf>[0]) =>
    render(pageOf({ items: [itemView({ activeRun: progressOf(run) })] })).text;
  const asked = textOf(resting);
  expect(asked).toContain(`${descriptor.label} asks us to wait; going on at 14:31`);
  expect(asked).toContain("Waiting");
  const fault = "The git server is not available (503).";
  expect(textOf({ ...resting, fault })).toContain(`${fault} Trying again at 14:31.`);
  const inLine = textOf({ status: "queued", phase: null, startedAt: null, bytesRead: 0 });
  expect(inLine).toContain("Waiting for a free slot.");
});

test("a failure says what happened, what is kept and what to do", () => {
  const lastError = { text: "The platform answered 403.", at: NOW - 60_000 };
  const { text } = render(pageOf({ items: [itemView({ lastError })] }));
  expect(text).toContain("The platform answered 403.");
  expect(text).toContain("the version of 20 Nov 14:02 is kept");
  expect(text).toContain("Retry");
});

test("[P-295] [P-296] members who may not manage can neither select a row nor switch its daily backup", () => {
  const { tag } = render({ ...pageOf(), canManage: false });
  for (const label of ["Select the rows of this page", "Select docs", "Daily backup of docs"]) {
    expect(tag(`aria-label="${label}"`)).toContain("disabled");
    expect(render(pageOf()).tag(`aria-label="${label}"`)).not.toContain("disabled");
  }
});

test("[P-310] the server's permission to back up enables and disables Backup now", () => {
  const button = (canUserBackup: boolean) =>
    render(pageOf({ canUserBackup })).all.match(/<button[^>]*>(?:(?!<\/button>).)*Backup now/)?.[0];
  expect(button(true)).not.toContain("aria-disabled");
  expect(button(false)).toContain('aria-disabled="true"');
});

test("[P-147] [P-148] [P-149] an item has the tag of those who may see it", () => {
  const suffix = (marks: ItemMarks) =>
    render(pageOf({ items: [itemView(marks)] })).text.match(/PVT|PBC|WKS|WRK\/ORG/)?.[0];
  const board = (permissionLevel: string) => marksOf({ kind: "board", details: { permissionLevel } });
  expect(["private", "public", "org"].map(board).map(suffix)).toEqual(["PVT", "PBC", "WKS"]);
  const project = (visibility: string) => gitlabMarksOf({ kind: "project", details: { visibility } });
  expect(["private", "public", "internal"].map(project).map(suffix)).toEqual(["PVT", "PBC", "WRK/ORG"]);
});

test("[P-150] [P-151] [P-152] [P-153] a Jira project shows the short name of its product", () => {
  const shown = (projectTypeKey: string) => {
    const marks = jiraMarksOf({ kind: "project", details: { projectTypeKey } });
    return render(pageOf({ items: [itemView(marks)] })).text.match(/JSM|JS\/C|JWM|JPD/)?.[0];
  };
  const types = ["service_desk", "software", "business", "product_discovery", "other"];
  expect(types.map(shown)).toEqual(["JSM", "JS/C", "JWM", "JPD", undefined]);
});

test("[P-024] the link to the history of a Jira project carries its projectTypeKey, and no other link does", () => {
  const linkOf = (change: Partial<ItemView>) =>
    render(pageOf({ items: [itemView(change)] })).all.match(/href="(\/platform\/backups\/[^"]*)"/)?.[1] ?? "";
  const marks = jiraMarksOf({ kind: "project", details: { projectTypeKey: "service_desk" } });
  const search = (href: string) => new URL(href.replaceAll("&amp;", "&"), "https://x").searchParams;
  expect(search(linkOf(marks)).get("projectTypeKey")).toBe("service_desk");
  expect(search(linkOf({})).has("projectTypeKey")).toBe(false);
  expect(readAddress(search(linkOf(marks))).typeKey).toBe("service_desk");
});

test("[P-137] an item without a backup shows a dash", () => {
  const item = itemView({ status: "initialized", lastBackupAt: null });
  const cell = render(pageOf({ items: [item] })).all.match(
    /<span class="last-backup__when">(.*?)<\/span>/,
  )?.[1];
  expect(cell).toBe("<span>-");
});

test("the list is sorted by name, and its header reverses the order", () => {
  const { all } = render(pageOf());
  expect(all).toMatch(/<th scope="col" aria-sort="ascending"><button[^>]*title="Sort by name, Z first"/);
  const turned = { ...pageOf(), query: { ...pageOf().query, sort: "-name" as const } };
  expect(render(turned, "?sort=-name").all).toContain('aria-sort="descending"');
});

/** The opening tag of the button with this text. */
const buttonOf = (all: string, words: string) =>
  all.match(new RegExp(`<button[^>]*>(?=(?:(?!</button>).)*${words})`, "s"))?.[0] ?? "";

test("[A-352] [P-297] [P-298] [P-299] [P-301] add, delete, restore and Backup now are enabled for an owner and disabled for members who may not manage", () => {
  for (const canManage of [true, false]) {
    const { all, text, tag } = render({ ...pageOf(), canManage });
    const buttons = {
      add: buttonOf(all, `Add ${kind.many}`),
      delete: tag('aria-label="Delete docs"'),
      restore: tag('aria-label="Restore docs"'),
      backupNow: buttonOf(all, "Backup now"),
    };
    for (const [name, button] of Object.entries(buttons)) {
      expect([name, button.startsWith("<button"), button.includes('aria-disabled="true"')]).toEqual([
        name,
        true,
        !canManage,
      ]);
    }
    expect(text.includes("Read only, ask an owner for Read/Write")).toBe(!canManage);
    expect(all.includes("read only")).toBe(!canManage);
  }
});

type Change = Partial<ItemListPage["list"]>;
const pageOf = (change: Change = {}) =>
  listPageOf(descriptor, { ...change, items: change.items ?? [itemView()] }, NOW);

/** Renders the page with the shell's data, as the server does. */
function render(page: ItemListPage, search = "") {
  const address = { pathname: `/platform/dashboard/${page.platform}`, search };
  const all = renderInFrame(<ItemsPage page={page} />, address, NOW);
  const textOf = (html: string) => html.replace(/<[^>]+>/g, "").replaceAll("&#x27;", "'");
  return {
    all,
    text: textOf(all.replaceAll("<!-- -->", "")),
    heads: [...all.matchAll(/<th [^>]*>(.*?)<\/th>/g)].map((match) => textOf(match[1] ?? "").trim()),
    querySelector: (name: string) => all.match(new RegExp(`<${name}[^>]*>(.*?)</${name}>`))?.[1] ?? "",
    /** The opening tag with this attribute. */
    tag: (attribute: string) => all.match(new RegExp(`<[a-z]+ [^>]*${attribute}[^>]*>`))?.[0] ?? "",
  };
}
