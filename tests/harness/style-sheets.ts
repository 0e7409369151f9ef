import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

const ROOT = path.resolve(import.meta.dirname, "../..");

/** One rule of a style sheet. The selector of a rule inside an at-rule begins with the at-rule. */
export type StyleRule = { selector: string; declarations: [property: string, value: string][] };

/** Red, green and blue from 0 to 255, and alpha from 0 to 1. */
type Colour = [number, number, number, number];

/** What a colour depends on: the theme, and whether the place of use is light or dark. */
export type Look = { theme: string; scheme: "light" | "dark" };

/** All rules of the product's own style sheets. */
export function readStyleRules(): StyleRule[] {
  return readdirSync(path.join(ROOT, "app"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".css"))
    .sort()
    .flatMap((name) => styleRulesOf(readFileSync(path.join(ROOT, "app", name), "utf8")));
}

/** The rules of one style sheet. Supports the plain CSS that we write: no nested rules, no braces in strings. */
export function styleRulesOf(css: string): StyleRule[] {
  const rules: StyleRule[] = [];
  const open: StyleRule[] = [];
  for (const [, text = "", end] of css.replace(/\/\*[\s\S]*?\*\//g, "").matchAll(/([^;{}]*)([;{}])/g)) {
    const words = text.trim().replace(/\s+/g, " ");
    if (end === "{") {
      const outer = open.at(-1)?.selector;
      open.push({ selector: outer ? `${outer} ${words}` : words, declarations: [] });
    } else if (words && !words.startsWith("@")) {
      const colon = words.indexOf(":");
      open.at(-1)?.declarations.push([words.slice(0, colon).trim(), words.slice(colon + 1).trim()]);
    }
    if (end === "}") rules.push(...open.splice(-1));
  }
  return rules;
}

/** Resolves the colours of style sheets as a browser does, for the CSS features that our sheets use. */
export function styleColoursOf(rules: readonly StyleRule[]) {
  /** What `:root` sets, general rules first. A rule without themes applies to all of them. */
  const roots = rules
    .filter(({ selector }) => selector.startsWith(":root"))
    .map(({ selector, declarations }) => ({
      themes: [...selector.matchAll(/\[data-theme="(\w+)"\]/g)].map(([, theme = ""]) => theme),
      values: new Map(declarations),
    }))
    .sort((one, other) => Math.min(one.themes.length, 1) - Math.min(other.themes.length, 1));
  /** Custom properties set by other rules. */
  const locals = rules
    .filter(({ selector }) => !selector.startsWith(":root"))
    .flatMap(({ declarations }) => declarations.filter(([name]) => name.startsWith("--")));

  /** The value of a token in a theme. Undefined when `:root` does not set it. */
  function token(wanted: string, theme: string): string | undefined {
    const isOfTheme = (themes: string[]) => themes.length === 0 || themes.includes(theme);
    return roots
      .findLast(({ themes, values }) => values.has(wanted) && isOfTheme(themes))
      ?.values.get(wanted);
  }

  /**
   * The colours that a value names: tokens by name, everything else as written. A custom property set below `:root`
   * adds none, since its own declaration does. A property that nothing sets counts as a colour.
   */
  function termsIn(value: string): string[] {
    return splitOutside(value, /[\s,/]/).flatMap((part) => {
      const call = callOf(part);
      if (!call) return COLOUR_WORD.test(part) ? [part] : [];
      if (call.name !== "var") return COLOUR_CALL.test(call.name) ? [part] : termsIn(call.args.join(" "));
      const [name = "", ...fallback] = call.args;
      const value = token(name, "default");
      if (value !== undefined) return termsIn(value).length > 0 ? [name] : [];
      if (locals.some(([local]) => local === name) || FROM_LIBRARIES.test(name)) return [];
      return fallback.length > 0 ? termsIn(fallback.join(",")) : [name];
    });
  }

  /** Resolves a token or a written colour. @throws Error when it cannot be read as a colour */
  function resolve(term: string, look: Look): Colour {
    if (term.startsWith("--")) return resolve(token(term, look.theme) ?? "", look);
    if (term === "transparent") return [0, 0, 0, 0];
    if (term.startsWith("#")) return hexColour(term);
    const { name, args } = callOf(term) ?? { name: "", args: [] };
    const [first = "", second = "", third = ""] = args;
    if (name === "var") return resolve(first, look);
    if (name === "light-dark") return resolve(look.scheme === "light" ? first : second, look);
    if (name === "rgb") {
      const [red = 0, green = 0, blue = 0, alpha = 1] = first.split(/[\s/]+/).map(Number);
      return [red, green, blue, alpha];
    }
    const share = / ([\d.]+)%$/.exec(second);
    if (name === "color-mix" && first === "in srgb" && share) {
      const one = resolve(second.slice(0, share.index), look);
      return mix(one, resolve(third, look), Number(share[1]) / 100);
    }
    throw new Error(`“${term}” is no colour that can be read`);
  }

  /** Like `resolve`, with every value that custom properties below `:root` can take. */
  function resolveAll(term: string, look: Look): Colour[] {
    const names = [...term.matchAll(/var\((--[\w-]+)\)/g)].map(([, name = ""]) => name);
    const open = names.find((name) => token(name, look.theme) === undefined);
    if (!open) return [resolve(term, look)];
    const values = locals.filter(([name]) => name === open).map(([, value]) => value);
    return values.flatMap((value) => resolveAll(term.replaceAll(`var(${open})`, value), look));
  }

  return { termsIn, resolve, resolveAll };
}

/** WCAG 2 contrast of a colour on a ground. Both may be translucent; the last of `behind` must be opaque. */
export function contrastOf(colour: Colour, ground: Colour, ...behind: Colour[]): number {
  const seen = behind.reduce(under, ground);
  const [light = 0, dark = 0] = [luminance(under(colour, seen)), luminance(seen)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

const COLOUR_WORD = /^(?:#.*|black|white|silver|gr[ae]y|red|orange|yellow|green|blue|navy|purple)$/;
const COLOUR_CALL = /^(?:light-dark|color-mix|color|rgba?|hsla?|hwb|(?:ok)?(?:lab|lch))$/;
/** Custom properties that a library sets on its own elements. */
const FROM_LIBRARIES = /^--radix-/;

function hexColour(hex: string): Colour {
  const digits = hex.length < 6 ? hex.slice(1).replace(/./g, "$&$&") : hex.slice(1);
  const [red = 0, green = 0, blue = 0, alpha = 255] = (digits.match(/../g) ?? []).map((pair) =>
    Number.parseInt(pair, 16),
  );
  return [red, green, blue, alpha / 255];
}

/** `color-mix(in srgb, …)`: components are weighted by their alpha. */
function mix(one: Colour, other: Colour, share: number): Colour {
  const alpha = one[3] * share + other[3] * (1 - share);
  const part = (at: 0 | 1 | 2) =>
    alpha ? (one[at] * one[3] * share + other[at] * other[3] * (1 - share)) / alpha : 0;
  return [part(0), part(1), part(2), alpha];
}

/** A colour composited over another. */
function under(colour: Colour, ground: Colour): Colour {
  const part = (at: 0 | 1 | 2) => colour[at] * colour[3] + ground[at] * (1 - colour[3]);
  return [part(0), part(1), part(2), colour[3] + ground[3] * (1 - colour[3])];
}

function luminance(colour: Colour): number {
  const linear = (value: number) =>
    value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4;
  return 0.2126 * linear(colour[0]) + 0.7152 * linear(colour[1]) + 0.0722 * linear(colour[2]);
}

function callOf(part: string): { name: string; args: string[] } | null {
  const call = /^([\w-]+)\((.*)\)$/s.exec(part);
  return call ? { name: call[1] ?? "", args: splitOutside(call[2] ?? "", /,/) } : null;
}

/** Splits a text at separators outside brackets. */
function splitOutside(text: string, separator: RegExp): string[] {
  const parts = [""];
  let depth = 0;
  for (const character of text) {
    if (character === "(") depth++;
    if (character === ")") depth--;
    if (depth === 0 && separator.test(character)) parts.push("");
    else parts.push(`${parts.pop()}${character}`);
  }
  return parts.map((part) => part.trim()).filter(Boolean);
}
