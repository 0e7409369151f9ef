/** The six themes of the product (spec ). */
export const THEMES = ["DEFAULT", "LIGHT", "DARK", "BLUE", "GREEN", "INDIGO"] as const;
export type ThemeName = (typeof THEMES)[number];

/** What a theme asks of the machine: its own light or dark, or whatever the system prefers. */
export type Appearance = "system" | "light" | "dark";

export const THEME_COOKIE = "theme";

/** The theme named by a Cookie header; DEFAULT when none or an unknown one is named. */
export function themeOfCookie(cookieHeader: string | null): ThemeName {
  const name = cookieHeader?.match(/(?:^|;\s*)theme=([A-Z]+)/)?.[1];
  return THEMES.find((theme) => theme === name) ?? "DEFAULT";
}

/** The Set-Cookie value (also for `document.cookie`) that keeps the choice for a year. */
export function themeCookie(theme: ThemeName): string {
  return `${THEME_COOKIE}=${theme}; Path=/; Max-Age=31536000; SameSite=Lax`;
}

/** LIGHT and DARK fix the appearance; the others follow the system. */
export function appearanceOf(theme: ThemeName): Appearance {
  if (theme === "LIGHT") return "light";
  return theme === "DARK" ? "dark" : "system";
}

/** Appearance of the rail: dark in every theme but LIGHT, whose rail is paper too. */
export function railAppearanceOf(theme: ThemeName): "light" | "dark" {
  return theme === "LIGHT" ? "light" : "dark";
}

/** The attributes of `<html>` that make the theme. */
export function themeAttributes(theme: ThemeName) {
  return { "data-theme": theme.toLowerCase(), "data-appearance": appearanceOf(theme) };
}
