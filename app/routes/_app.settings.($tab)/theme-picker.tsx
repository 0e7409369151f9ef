import { detailsCopy as copy } from "#app/copy/settings.ts";
import { themeWords } from "#app/copy/shell.ts";
import { appearanceOf, railAppearanceOf, THEMES, type ThemeName, themeAttributes } from "#app/theme/theme.ts";
import { useTheme } from "#app/theme/use-theme.ts";
import { ChoiceCards } from "./choice-cards.tsx";
import { Section } from "./section.tsx";

/** The six themes, each in its own colours. Applied at once and stored in the browser (spec A-038). */
export function ThemePicker() {
  const { theme, choose } = useTheme();
  return (
    <Section title={copy.theme} text={copy.themeHint}>
      <ChoiceCards
        name="theme"
        label={copy.theme}
        value={theme}
        choices={THEMES.map((id) => ({ id, name: themeWords[id], picture: <ThemeSample theme={id} /> }))}
        onChoose={choose}
      />
    </Section>
  );
}

/** Sidebar, page, lines and button of a theme, in miniature. */
function ThemeSample({ theme }: { theme: ThemeName }) {
  const appearance = appearanceOf(theme);
  return (
    <span
      className="theme-sample"
      {...themeAttributes(theme)}
      style={appearance === "system" ? undefined : { colorScheme: appearance }}
      aria-hidden
    >
      <i className="theme-sample__rail" style={{ colorScheme: railAppearanceOf(theme) }} />
      <i className="theme-sample__line" />
      <i className="theme-sample__line" />
      <i className="theme-sample__button" />
    </span>
  );
}
