import { expect, test } from "vitest";
import { shortcutOf } from "./shortcuts.ts";

const shell = { isRestricted: false, hasProPlan: true, helpUrl: "" };
const on = { place: "page", hasSingleKeys: true, isAfterPrefix: false, shell } as const;
const key = (name: string, held: Partial<Record<"ctrlKey" | "metaKey" | "altKey", boolean>> = {}) => ({
  key: name,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  ...held,
});

test("single keys act on the page only, and only while they are on (WCAG 2.1.4)", () => {
  for (const [name, does] of [
    ["?", "keys"],
    ["/", "search"],
    ["[", "rail"],
    ["g", "prefix"],
  ] as const) {
    expect(shortcutOf(key(name), on)).toEqual({ does });
    for (const place of ["field", "dialog"] as const)
      expect(shortcutOf(key(name), { ...on, place })).toBeNull();
    expect(shortcutOf(key(name), { ...on, hasSingleKeys: false })).toBeNull();
    expect(shortcutOf(key(name, { ctrlKey: true }), on)).toBeNull();
  }
  expect(shortcutOf(key("x"), on)).toBeNull();
});

test("Ctrl-K and Cmd-K open the palette, in a field and without single keys too", () => {
  for (const held of [{ ctrlKey: true }, { metaKey: true }])
    expect(shortcutOf(key("k", held), { ...on, place: "field", hasSingleKeys: false })).toEqual({
      does: "palette",
    });
  expect(shortcutOf(key("k", { ctrlKey: true }), { ...on, place: "dialog" })).toBeNull();
  expect(shortcutOf(key("k", { ctrlKey: true, altKey: true }), on)).toBeNull();
  expect(shortcutOf(key("k"), on)).toBeNull();
});

test("after the prefix, a letter opens a page that the sidebar shows", () => {
  const after = { ...on, isAfterPrefix: true };
  expect(shortcutOf(key("d"), after)).toEqual({ does: "go", to: "/" });
  expect(shortcutOf(key("a"), after)).toEqual({ does: "go", to: "/audit" });
  expect(shortcutOf(key("?"), after)).toBeNull();
  const restricted = { ...shell, isRestricted: true, hasProPlan: false };
  expect(shortcutOf(key("a"), { ...after, shell: restricted })).toBeNull();
});
