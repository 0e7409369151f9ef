import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { fileFromTemplate } from "#workers/commands/platform-template.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
const SOURCES = ["app", "connectors", "core", "workers", "durable-objects", "tests/harness"];
const PLANTED = { id: "toy-boards", label: "Toy Boards" };

/** A script in the planted copy that prints its API's calls and what its screens call the new platform. */
const PROBE = `
import { createElement } from "react";
import { renderToString } from "react-dom/server";
import { isOffered } from "#app/api/call-platform.ts";
import { PlatformMark } from "#app/components/platform-mark.tsx";
import { ItemsPage } from "#app/routes/_app.platform.dashboard.$platform/items-page.tsx";
import { wordsOf } from "#app/routes/_app.platform.dashboard.$platform/words.ts";
import { announcedPlatform } from "#app/shell/announced-platforms.ts";
import { SidebarLinks } from "#app/shell/sidebar.tsx";
import { descriptors } from "#connectors/registry/descriptors.generated.ts";
import { platforms } from "#connectors/registry/platforms.generated.ts";
import { listPageOf, renderInFrame } from "#tests/harness/frame-screen.tsx";
import { itemOf } from "#tests/harness/view-fixtures.ts";
import { createRouter } from "#workers/api/mount-route.ts";
import { apiPlatformOf, mountPlatforms } from "#workers/api/platform-endpoints.ts";

const id = ${JSON.stringify(PLANTED.id)};
const now = Date.parse("2026-11-20T13:26:00Z");
const api = createRouter();
mountPlatforms(api, {}, platforms.map(apiPlatformOf));
const descriptor = descriptors.find((one) => one.id === id);
const page = listPageOf(descriptor, { items: [itemOf({ platform: id, kind: "board", name: "Autumn plan" })] }, now);
const plan = { plan: "trial", isActive: true, endsAt: null, itemLimit: 10 };
const started = descriptors.map(({ id, label }) => ({ id, label, accountName: "nora", isRevoked: false, plan, used: 1 }));
const shell = { isRestricted: false, hasProPlan: true, helpUrl: "", platforms: started };
const at = { pathname: "/platform/dashboard/" + id };
console.log(JSON.stringify({
  ids: descriptors.map((one) => one.id),
  doors: api.routes.map(({ method, path }) => method + " " + path).filter((door) => door.includes("/" + id + "/")),
  mark: renderToString(createElement(PlatformMark, { platform: id })),
  words: wordsOf(id, "board").many,
  label: wordsOf(id, "board").label,
  announced: announcedPlatform(id),
  canBackUp: isOffered({ platform: id, does: "back-up-now", kind: "board" }),
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

test("a platform created from the template appears in API, sidebar and lists without other edits", () => {
  const root = mkdtempSync(path.join(tmpdir(), "planted-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const source of SOURCES) cpSync(path.join(ROOT, source), path.join(root, source), { recursive: true });
  for (const file of ["package.json", "tsconfig.json"]) cpSync(path.join(ROOT, file), path.join(root, file));
  symlinkSync(path.join(ROOT, "node_modules"), path.join(root, "node_modules"));
  const before = digests(root);

  const folder = path.join(root, "connectors/platforms", PLANTED.id);
  cpSync(path.join(root, "connectors/platforms/_template"), folder, { recursive: true });
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = path.join(entry.parentPath, entry.name);
    writeFileSync(file, fileFromTemplate(readFileSync(file, "utf8"), PLANTED));
  }
  run(root, "connectors/registry/generate.ts");
  const changed = [...digests(root)]
    .filter(([file, digest]) => before.get(file) !== digest)
    .map(([file]) => file);
  const elsewhere = changed.filter((file) => !file.startsWith(`connectors/platforms/${PLANTED.id}/`));
  expect(elsewhere.every((file) => /^connectors\/registry\/[a-z-]+\.generated\.ts$/.test(file))).toBe(true);

  writeFileSync(path.join(root, "probe.tsx"), PROBE);
  const seen = JSON.parse(run(root, "probe.tsx"));
  expect(seen).toMatchObject({
    label: PLANTED.label,
    words: "boards",
    announced: null,
    canBackUp: true,
    mark: expect.stringContaining("<svg"),
  });
  expect(seen.ids).toContain(PLANTED.id);
  expect(seen.doors).toEqual(
    expect.arrayContaining([
      `GET /api/${PLANTED.id}/get-${PLANTED.id}-users`,
      `POST /api/${PLANTED.id}/backup-now`,
      `POST /api/${PLANTED.id}/restore-boards`,
      `GET /api/${PLANTED.id}/backup-all-items-now`,
    ]),
  );
  const mark = seen.mark.match(/<svg.*<\/svg>/s)[0];
  const link = seen.sidebar.match(
    new RegExp(`<a[^>]*href="/platform/dashboard/${PLANTED.id}".*?</a>`, "s"),
  )?.[0];
  expect(link).toContain(PLANTED.label);
  expect(link).toContain(mark);
  expect(seen.list).toMatch(new RegExp(`<h1[^>]*>.*${PLANTED.label}.*</h1>`, "s"));
  expect(seen.list).toContain('aria-label="Search boards"');
  expect(seen.list).toContain('aria-label="View Autumn plan"');
  expect(seen.list).toContain(`href="/platform/backups/${PLANTED.id}?`);
}, 120_000);

function run(cwd: string, file: string): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--import", "tsx", file], {
    cwd,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`${file} failed: ${stderr.slice(0, 2_000)}`);
  return stdout;
}
