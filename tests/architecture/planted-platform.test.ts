import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { PlatformUi, RestoreWords } from "#connectors/contract/platform-ui.ts";
import type { Platform } from "#connectors/registry/platforms.generated.ts";
import { plantPlatform, runIn } from "#tests/harness/plant-platform.ts";
import { configSchema } from "#tests/sixth-platform/almanac/authorize.ts";
import { connector } from "#tests/sixth-platform/almanac/connector.ts";
import { endpoints } from "#tests/sixth-platform/almanac/endpoints.ts";
import { restoreWords } from "#tests/sixth-platform/almanac/restore-words.ts";
import { ui } from "#tests/sixth-platform/almanac/ui.tsx";
import { fileFromTemplate } from "#workers/commands/platform-template.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
const SOURCES = ["app", "connectors", "core", "workers", "durable-objects", "tests/harness"];

/** A platform that is planted as a folder, and what the product then shows of it. */
type Planted = {
  id: string;
  label: string;
  /** The folder that is copied. */
  from: string;
  kind: string;
  many: string;
  calls: readonly string[];
};

const TOY: Planted = {
  ...{ id: "toy-boards", label: "Toy Boards", from: "connectors/platforms/_template" },
  ...{ kind: "board", many: "boards" },
  calls: ["GET get-toy-boards-users", "POST backup-now", "POST restore-boards", "GET backup-all-items-now"],
};
const SIXTH: Planted = {
  ...{ id: "almanac", label: "Almanac", from: "tests/sixth-platform/almanac", kind: "book", many: "books" },
  calls: ["GET login-almanac", "POST choose-accounts", "POST restore-books", "GET get-registers"],
};

/** A script in the planted copy that prints its API's calls and what its screens call the new platform. */
const probeOf = ({ id, kind }: Planted) => `
import { createElement } from "react";
import { renderToString } from "react-dom/server";
import { isOffered } from "#app/api/call-platform.ts";
import { PlatformMark } from "#app/components/platform-mark.tsx";
import { ItemsPage } from "#app/routes/_app.platform.dashboard.$platform/items-page.tsx";
import { wordsOf } from "#app/routes/_app.platform.dashboard.$platform/words.ts";
import { SidebarLinks } from "#app/shell/sidebar.tsx";
import { descriptors } from "#connectors/registry/descriptors.generated.ts";
import { platforms } from "#connectors/registry/platforms.generated.ts";
import { listPageOf, renderInFrame } from "#tests/harness/frame-screen.tsx";
import { itemOf } from "#tests/harness/view-fixtures.ts";
import { createRouter } from "#workers/api/mount-route.ts";
import { apiPlatformOf, mountPlatforms } from "#workers/api/platform-endpoints.ts";

const id = ${JSON.stringify(id)};
const kind = ${JSON.stringify(kind)};
const now = Date.parse("2026-11-20T13:26:00Z");
const api = createRouter();
mountPlatforms(api, {}, platforms.map(apiPlatformOf));
const descriptor = descriptors.find((one) => one.id === id);
const page = listPageOf(descriptor, { items: [itemOf({ platform: id, kind, name: "Autumn plan" })] }, now);
const plan = { plan: "trial", isActive: true, endsAt: null, itemLimit: 10 };
const started = descriptors.map(({ id, label }) => ({ id, label, accountName: "nora", isRevoked: false, plan, used: 1 }));
const shell = { isRestricted: false, hasProPlan: true, helpUrl: "", platforms: started };
const at = { pathname: "/platform/dashboard/" + id };
console.log(JSON.stringify({
  ids: descriptors.map((one) => one.id),
  doors: api.routes.map(({ method, path }) => method + " " + path).filter((door) => door.includes("/" + id + "/")),
  mark: renderToString(createElement(PlatformMark, { platform: id })),
  words: wordsOf(id, kind).many,
  label: wordsOf(id, kind).label,
  canBackUp: isOffered({ platform: id, does: "back-up-now", kind }),
  sidebar: renderInFrame(createElement(SidebarLinks, { shell }), at, now, started),
  list: renderInFrame(createElement(ItemsPage, { page }), at, now, started),
}));
`;

/** A digest of every source file, by path. */
function digests(root: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const source of SOURCES) {
    for (const entry of readdirSync(path.join(root, source), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const file = path.join(entry.parentPath, entry.name);
      const digest = createHash("sha256").update(readFileSync(file)).digest("hex");
      found.set(path.relative(root, file), digest);
    }
  }
  return found;
}

/** A copy of the product's sources with a platform planted in it. Nothing outside its folder may change but registries. */
function plant({ id, label, from }: Planted): string {
  const root = mkdtempSync(path.join(tmpdir(), "planted-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  plantPlatform({
    into: root,
    sources: [...SOURCES, "package.json", "tsconfig.json"],
    platform: {
      id,
      folder: path.join(ROOT, from),
      change: (text) => fileFromTemplate(text, { id, label }),
    },
  });
  const product = digests(ROOT);
  const changed = [...digests(root)]
    .filter(([file, digest]) => product.get(file) !== digest)
    .map(([file]) => file);
  const elsewhere = changed.filter((file) => !file.startsWith(`connectors/platforms/${id}/`));
  expect(elsewhere).not.toEqual([]);
  expect(elsewhere.every((file) => /^connectors\/registry\/[a-z-]+\.generated\.ts$/.test(file))).toBe(true);
  return root;
}

/** Holds what the planted product prints against what is planted. */
function expectSeen(root: string, planted: Planted): void {
  const { id, label, many, calls } = planted;
  writeFileSync(path.join(root, "probe.tsx"), probeOf(planted));
  const seen = JSON.parse(runIn(root, "probe.tsx"));
  expect(seen).toMatchObject({
    ...{ label, words: many, canBackUp: true },
    mark: expect.stringContaining("<svg"),
  });
  expect(seen.ids).toContain(id);
  expect(seen.doors).toEqual(expect.arrayContaining(calls.map((call) => call.replace(" ", ` /api/${id}/`))));
  const mark = seen.mark.match(/<svg.*<\/svg>/s)[0];
  const link = seen.sidebar.match(new RegExp(`<a[^>]*href="/platform/dashboard/${id}".*?</a>`, "s"))?.[0];
  expect(link).toContain(label);
  expect(link).toContain(mark);
  expect(seen.list).toMatch(new RegExp(`<h1[^>]*>.*${label}.*</h1>`, "s"));
  expect(seen.list).toContain(`aria-label="Search ${many}"`);
  expect(seen.list).toContain('aria-label="View Autumn plan"');
  expect(seen.list).toContain(`href="/platform/backups/${id}?`);
}

test("a platform is one folder: planted from the template, it stands in API, sidebar and lists without an edit elsewhere", () => {
  expectSeen(plant(TOY), TOY);
}, 120_000);

test("a platform that uses all of the contract is one folder too, and its pieces are what a registry takes", () => {
  expectSeen(plant(SIXTH), SIXTH);
  // The project's own compilation proves the types of what the planted registry holds.
  const piece: Platform = { connector, endpoints, configSchema };
  const looks: PlatformUi & RestoreWords = { ...ui, ...restoreWords };
  expect([piece.connector.descriptor.id, typeof looks.Logo]).toEqual([SIXTH.id, "function"]);
}, 120_000);
