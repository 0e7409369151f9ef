import { expect, test } from "vitest";
import {
  appearanceOf,
  railAppearanceOf,
  THEME_COOKIE,
  THEMES,
  themeAttributes,
  themeOfCookie,
} from "./theme.ts";

test("[A-037] DEFAULT is the theme for an unset or unknown choice", () => {
  expect(themeOfCookie(null)).toBe("DEFAULT");
  expect(themeOfCookie("a=b; theme=PINK")).toBe("DEFAULT");
  expect(themeAttributes("DEFAULT")).toEqual({ "data-theme": "default", "data-appearance": "system" });
});

test("a selected theme is read from its cookie", () => {
  for (const theme of THEMES) expect(themeOfCookie(`x=1; ${THEME_COOKIE}=${theme}`)).toBe(theme);
  expect(themeOfCookie("mytheme=DARK")).toBe("DEFAULT");
});

test("LIGHT and DARK fix the appearance; only LIGHT has a light rail", () => {
  expect(THEMES.map(appearanceOf)).toEqual(["system", "light", "dark", "system", "system", "system"]);
  expect(THEMES.filter((theme) => railAppearanceOf(theme) === "light")).toEqual(["LIGHT"]);
});

test("inside another site a theme has that site's appearance, unless the person chose LIGHT or DARK", () => {
  const inDark = THEMES.map((theme) => themeAttributes(theme, "dark")["data-appearance"]);
  expect(inDark).toEqual(["dark", "light", "dark", "dark", "dark", "dark"]);
  expect(themeAttributes("BLUE", "light")["data-appearance"]).toBe("light");
});
