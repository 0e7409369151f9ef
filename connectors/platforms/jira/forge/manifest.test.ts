import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import addFormats from "ajv-formats";
import { expect, test } from "vitest";
import { parse } from "yaml";
import type { FrameMessage as FrameSide } from "#app/embedding/messages.ts";
import { openAjv } from "#tests/conformance/open-ajv.ts";
import { forgeAppFiles } from "#workers/commands/forge-app.ts";
import { configSchema } from "../authorize.ts";
import type { FrameMessage as ShellSide } from "./messages.ts";

const URL = "https://backups.meridian.example";
const APP_ID = "ari:cloud:ecosystem::app/8db33809-1f32-48bb-8c52-5877dab48107";

type Manifest = {
  modules: {
    endpoint: { key: string; auth?: unknown; route?: { path: string } }[];
    trigger: { endpoint: string; events: string[] }[];
    scheduledTrigger: { endpoint: string; interval: string }[];
  };
  remotes: { baseUrl: string }[];
  permissions: { scopes: string[]; external: { frames: string[] } };
};

const files = await forgeAppFiles({ url: `${URL}/`, appId: APP_ID });
const manifest = parse(files["manifest.yml"] ?? "") as Manifest;

test("the manifest is valid by Atlassian's schema", () => {
  const path = createRequire(import.meta.url).resolve("@forge/manifest/schema.json");
  const ajv = openAjv({ allErrors: true });
  addFormats.default(ajv);
  const isValid = ajv.compile(JSON.parse(readFileSync(path, "utf8")));
  expect([isValid(manifest), isValid.errors]).toEqual([true, null]);
  expect(isValid({ ...manifest, permissions: { scopes: "everything" } })).toBe(false);
});

test("the app asks for the tokens that it uses, and for the scopes of the sign-in at Atlassian", () => {
  const bringing = ["read:app-user-token", "read:app-system-token"];
  const scopes = configSchema
    .parse({})
    .JIRA_SCOPES.split(" ")
    // Accounts are reported by a sign-in only.
    .filter((scope) => !["offline_access", "report:personal-data"].includes(scope));
  expect([...manifest.permissions.scopes].sort()).toEqual([...bringing, ...scopes].sort());
  const enabled = { enabled: true };
  expect(manifest.modules.endpoint.map(({ key, auth }) => [key, auth])).toEqual([
    ["session", { appUserToken: enabled, appSystemToken: enabled }],
    ["tick", { appSystemToken: enabled }],
  ]);
  expect(manifest.modules.trigger.flatMap(({ events }) => events)).toEqual([
    "avi:forge:installed:app",
    "avi:forge:upgraded:app",
    "avi:jira:deleted:issue",
  ]);
});

test("the hour and every event come to our path for ticks", () => {
  const { endpoint, trigger, scheduledTrigger } = manifest.modules;
  expect(scheduledTrigger).toEqual([{ key: "hourly", endpoint: "tick", interval: "hour" }]);
  expect(trigger.every((each) => each.endpoint === "tick")).toBe(true);
  expect(endpoint.find(({ key }) => key === "tick")?.route).toEqual({ path: "/forge/tick" });
});

test("manifest and page name the deployment, and nothing of the example is left", () => {
  expect(manifest.remotes.map(({ baseUrl }) => baseUrl)).toEqual([URL]);
  expect(manifest.permissions.external.frames).toEqual([URL]);
  expect(files["static/shell/index.html"]).toContain(`data-src="${URL}/forge/frame"`);
  expect(files["manifest.yml"]).toContain(`id: ${APP_ID}`);
  for (const [name, text] of Object.entries(files)) expect(text, name).not.toContain("app.holdfast.example");
});

test("the page's script carries Atlassian's bridge and runs without inline code", () => {
  expect(files["static/shell/shell.js"]).toContain("/forge/session");
  expect(files["static/shell/shell.js"]).toContain("__bridge");
  const html = readFileSync(join(import.meta.dirname, "static/shell/index.html"), "utf8");
  // Atlassian's policy refuses inline scripts and styles.
  expect(html).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\bstyle=|\bon\w+=/);
});

test("page and frame speak of the same messages", () => {
  const ready = { type: "holdfast:ready", challenge: "c", connects: true } as const;
  const open = { type: "holdfast:open", path: "/" } as const;
  const ask = { type: "holdfast:ask-mode" } as const;
  expect([ready, ask, open] satisfies FrameSide[] satisfies ShellSide[]).toHaveLength(3);
});
