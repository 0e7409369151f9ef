import { useRevalidator, useRouteLoaderData } from "@remix-run/react";
import { storeCookie } from "#app/session/browser-cookie.ts";
import { railAppearanceOf, THEME_COOKIE, type ThemeName } from "./theme.ts";

/**
 * The current theme and a function to change it. The choice is stored in a cookie, so the server renders it at once.
 */
export function useTheme(): { theme: ThemeName; choose: (theme: ThemeName) => void } {
  const { revalidate } = useRevalidator();
  const theme = useRouteLoaderData<{ theme: ThemeName }>("root")?.theme ?? "DEFAULT";
  return {
    theme,
    choose: (next) => {
      storeCookie({ name: THEME_COOKIE, value: next });
      revalidate();
    },
  };
}

/** Appearance of the sidebar in the current theme. */
export function useRailAppearance(): "light" | "dark" {
  return railAppearanceOf(useRouteLoaderData<{ theme: ThemeName }>("root")?.theme ?? "DEFAULT");
}
