import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { BREAKPOINTS, DRAWER_MAX, MOBILE_MAX, TABLET_MAX } from "./breakpoints.ts";
import { railPlaces } from "./rail-places.ts";
import { isClosedInRestrictedMode } from "./restricted-redirect.ts";

const normal = { isRestricted: false, hasProPlan: false, helpUrl: "" };

test("[A-083] [A-084] [A-085] [A-086] [A-087] [A-088] the rail has its links in order", () => {
  expect(railPlaces(normal).map(({ label, to }) => [label, to])).toEqual([
    ["Dashboard", "/"],
    ["App connector", "/app-connector"],
    ["Subscriptions", "/subscriptions"],
    ["Audit trail", "/audit"],
    ["Profile", "/profile"],
    ["Support", "/contact"],
  ]);
});

test("[A-089] [A-090] Support opens the help centre, in restricted mode the contact page", () => {
  const support = (shell: typeof normal) => railPlaces(shell).find(({ icon }) => icon === "support")?.to;
  const helpUrl = "https://help.holdfast.example/start";
  expect(support({ ...normal, helpUrl })).toBe(helpUrl);
  expect(support({ ...normal, helpUrl, isRestricted: true })).toBe("/contact");
});

test("[A-093] [A-094] [A-096] restricted mode hides connector and subscriptions, and audit without Pro", () => {
  const icons = (hasProPlan: boolean) =>
    railPlaces({ ...normal, isRestricted: true, hasProPlan }).map(({ icon }) => icon);
  expect(icons(false)).toEqual(["dashboard", "profile", "support"]);
  expect(icons(true)).toEqual(["dashboard", "audit", "profile", "support"]);
});

test.each([
  ["/", false, [], false],
  ["/settings", false, [], false],
  ["/platform/dashboard/jira", false, [], true],
  ["/platform/backups/jira", false, ["trello"], true],
  ["/platform/dashboard/jira", false, ["jira"], false],
  ["/platform/dashboard/jira", true, [], false],
  ["/audit", false, ["jira"], true],
  ["/subscriptions", false, [], true],
  ["/app-connector", false, [], true],
  ["/checkout", false, [], true],
  ["/checkout", true, [], false],
  ["/auditors", false, [], false],
])(
  "[A-073] in restricted mode %s with Pro %s and active %j is closed: %s",
  (path, hasProPlan, active, closed) => {
    expect(isClosedInRestrictedMode(path, { hasProPlan, activePlatforms: active })).toBe(closed);
  },
);

test("[A-081] the layout uses the documented breakpoints", () => {
  expect(BREAKPOINTS).toEqual({ xs: 0, sm: 600, md: 960, lg: 1280, xl: 1440 });
  expect([MOBILE_MAX, TABLET_MAX, DRAWER_MAX]).toEqual([767, 1280, 900]);
});

test("[A-082] the style sheets use the phone's and the tablet's breakpoint", () => {
  const folder = path.join(import.meta.dirname, "..");
  const sheets = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".css"),
  );
  const queries = sheets.flatMap(
    (name) => readFileSync(path.join(folder, name), "utf8").match(/@media [^{]*/g) ?? [],
  );
  const widths = queries
    .flatMap((query) => [...query.matchAll(/(max|min)-width: (\d+)px/g)])
    .map(([text]) => text);
  expect(widths).toContain(`max-width: ${MOBILE_MAX}px`);
  expect(widths).toContain(`min-width: ${TABLET_MAX}px`);
});
