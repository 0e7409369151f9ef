import { useRevalidator, useRouteLoaderData } from "@remix-run/react";
import { railAppearanceOf, type ThemeName, themeCookie } from "./theme.ts";

/**
 * The current theme and a function to change it. The choice is stored in a cookie, so the server renders it at once.
 */
export function useTheme(): { theme: ThemeName; choose: (theme: ThemeName) => void } {
  const { revalidate } = useRevalidator();
  const theme = useRouteLoaderData<{ theme: ThemeName }>("root")?.theme ?? "DEFAULT";
  return {
    theme,
    choose: (next) => {
      // biome-ignore lint/suspicious/noDocumentCookie: -- the Cookie Store API is not everywhere yet
      document.cookie = themeCookie(next);
      revalidate();
    },
  };
}

/** Appearance of the sidebar in the current theme. */
export function useRailAppearance(): "light" | "dark" {
  return railAppearanceOf(useRouteLoaderData<{ theme: ThemeName }>("root")?.theme ?? "DEFAULT");
}
