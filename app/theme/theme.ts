/** The six themes of the product (spec ). */
export const THEMES = ["DEFAULT", "LIGHT", "DARK", "BLUE", "GREEN", "INDIGO"] as const;
export type ThemeName = (typeof THEMES)[number];

/** A theme's colour scheme: fixed light or dark, or the system's preference. */
export type Appearance = "system" | "light" | "dark";

export const THEME_COOKIE = "theme";

/** The theme named in a Cookie header; DEFAULT if it is missing or unknown. */
export function themeOfCookie(cookieHeader: string | null): ThemeName {
  const name = cookieHeader?.match(/(?:^|;\s*)theme=([A-Z]+)/)?.[1];
  return THEMES.find((theme) => theme === name) ?? "DEFAULT";
}

/** LIGHT and DARK fix the appearance; the others follow the system. */
export function appearanceOf(theme: ThemeName): Appearance {
  if (theme === "LIGHT") return "light";
  return theme === "DARK" ? "dark" : "system";
}

/** Appearance of the sidebar: dark in every theme except LIGHT. */
export function railAppearanceOf(theme: ThemeName): "light" | "dark" {
  return theme === "LIGHT" ? "light" : "dark";
}

/**
 * The attributes of `<html>` that apply the theme. Inside another site a theme without a fixed appearance has that of the
 * site around it; null = it is not known.
 */
export function themeAttributes(theme: ThemeName, around: Exclude<Appearance, "system"> | null = null) {
  const own = appearanceOf(theme);
  return { "data-theme": theme.toLowerCase(), "data-appearance": own === "system" ? (around ?? own) : own };
}
