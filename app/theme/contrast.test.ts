import { expect, test } from "vitest";
import { contrastOf, readStyleRules, type StyleRule, styleColoursOf } from "#tests/harness/style-sheets.ts";
import { appearanceOf, railAppearanceOf, THEMES } from "./theme.ts";

/** WCAG 2.2 AA: 1.4.3 for text, 1.4.11 for what shows a control, its state or its focus. */
const WORDS = 4.5;
const PARTS = 3;

/** The sidebar has its own appearance, the selection bar and toasts are dark, everything else follows the page. */
type Place = "page" | "rail" | "bar";
type Pairs = {
  place: Place;
  least: number;
  colours: string[];
  /** Every colour is checked on every ground. A translucent ground comes with the ground behind it. */
  grounds: (string | [string, string])[];
};

/** Surfaces of content: the page, cards and fields, wells, a hovered row, a selected row, a quiet box. */
const SURFACES = ["--page", "--panel", "--sunk", "--gray-2", "--gray-3", "--hover"];
const STATES = ["ok", "bad", "warn", "run"];
const STATE_WORDS = STATES.map((state) => `--${state}-text`);
const RAIL: Pairs["grounds"] = ["--rail", ["--rail-on", "--rail"]];
/** A label's colour: each hue in each shade, set by rules below `:root`. */
const OPEN = ["--hue", "--shade"];

/**
 * The colour pairs that the style sheets produce. Browser tests find the real pairs, but only a deep run does so in more
 * than one theme (`tests/journeys/looks.ts`). This test checks the same pairs in every theme.
 */
const PAIRS: Pairs[] = [
  onPage(WORDS, ["--ink", "--ink-soft", "--accent-text", ...STATE_WORDS], SURFACES),
  onPage(WORDS, ["--jade-11", "--amber-11", "--red-11"], SURFACES),
  ...STATES.map((state) => onPage(WORDS, [`--${state}-text`], [`--${state}-soft`])),
  onPage(WORDS, ["--accent-text", "--ink"], ["--accent-soft"]),
  onPage(WORDS, ["--accent-11"], ["--accent-3"]),
  onPage(WORDS, ["--ink"], ["--gray-4", "--red-5", "--jade-5"]),
  onPage(WORDS, ["--ink", "--ink-soft"], ["--red-3", "--jade-3"]),
  onPage(WORDS, ["--ink"], ["color-mix(in srgb, var(--hue) 16%, var(--page))"]),
  onPage(WORDS, ["--on-accent"], ["--accent", "--accent-hover"]),
  onPage(WORDS, ["#fff"], ["--red-9", "--bar"]),
  onPage(WORDS, ["--page"], ["--ink"]),
  { place: "rail", least: WORDS, colours: ["--ink", "--ink-soft"], grounds: [...RAIL, "--hover"] },
  { place: "bar", least: WORDS, colours: ["--ink", "--ink-soft"], grounds: ["--bar", "--hover", "--gray-3"] },

  onPage(PARTS, ["--focus"], [...SURFACES, "--accent-soft"]),
  onPage(
    PARTS,
    STATES.map((state) => `--${state}`),
    SURFACES,
  ),
  onPage(PARTS, ["--accent", "--field", "--gray-9", "--rule-ink"], ["--page", "--panel", "--sunk"]),
  onPage(PARTS, ["--run"], ["--track"]),
  // The knob of a switch that is off.
  onPage(PARTS, ["#fff"], ["--gray-9"]),
  onPage(PARTS, ["--brand-ring"], ["--page"]),
  { place: "rail", least: PARTS, colours: ["--focus", "--accent-11", "--brand-ring"], grounds: RAIL },
  {
    place: "rail",
    least: PARTS,
    colours: ["--blue-11", "light-dark(var(--red-9), var(--red-11))"],
    grounds: RAIL,
  },
  { place: "bar", least: PARTS, colours: ["--focus"], grounds: ["--bar"] },
];

/** Pure separators and shadows. */
const DECORATION = ["--rule", "--rule-soft", "--shadow", "--scrim"];

/** Declarations that need no contrast, by reason. Each entry is the beginning of “selector property”. */
const EXEMPT: Record<string, string[]> = {
  "The line parts or frames words, or a field with a border of its own, and they say everything.": [
    ".app-pick box-shadow",
    ".auth__foot a border-bottom",
    ".block-absent border",
    ".btn__reason border-left",
    ".btn-danger box-shadow",
    ".btn-outline box-shadow",
    ".card-mark border",
    ".choice box-shadow",
    ".diff-view__part + .diff-view__part border-top",
    ".kbd border",
    ".link text-decoration-color",
    ".markdown blockquote border-left",
    ".md-image border",
    ".segmented label:has(input:checked) box-shadow",
    ".selection-bar .rule-v background",
    ".selection-bar box-shadow",
    ".tag border",
    ".tips border-left",
    ".toast box-shadow",
    ".version-details border-left",
  ],
  "A control that is off may be faint (WCAG 1.4.3, 1.4.11).": [
    ".checkbox:disabled::before box-shadow",
    '.icon-btn[aria-disabled="true"] color',
    ".switch:disabled opacity",
  ],
  "It is seen for a moment only, while an answer is awaited.": [
    ".is-stale-view opacity",
    '.restore-plan[aria-busy="true"]',
    ".skeleton background",
  ],
  "A ribbon tells in words what it shows; these are its days without a backup and its scale.": [
    ".auth__ribbon::after background",
    ".part-ribbon .is-absent background",
    ".retention-ribbon .dim opacity",
    ".retention-ribbon .n background",
    ".ribbon-ticks span::before background",
  ],
  "A label's square stands beside the label's word, and a cover above the card's title; no words are on them.":
    [".card-tag::before background", ".card-cover background"],
  "A figure's mark stands beside the words and numbers that tell the same.": [
    ".dot-ok background",
    ".dot-warn background",
    ".doughnut .arc-deleted stroke",
    ".doughnut .arc-none stroke",
    ".l-deleted background",
  ],
  "It stands for text that the server did not send, under a sentence that says so.": [".audit-veil i"],
  "A measure, not a colour.": [".round .w background", ".round .w.is-wait background"],
  "A picture of a theme, beside its name.": [".theme-sample"],
};

const rules = readStyleRules();
const colours = styleColoursOf(rules);
/** Uses of colours below `:root`, which defines the tokens. */
const uses = rules.flatMap((rule) => (rule.selector.startsWith(":root") ? [] : usesIn(rule)));

test("the colours of each pair have enough contrast in every theme, light and dark, on page, rail and bar", () => {
  const faults: string[] = [];
  for (const theme of THEMES) {
    const appearance = appearanceOf(theme);
    for (const scheme of appearance === "system" ? (["light", "dark"] as const) : [appearance]) {
      const schemes = { page: scheme, rail: railAppearanceOf(theme), bar: "dark" } as const;
      for (const { place, least, colours: tokens, grounds } of PAIRS) {
        const look = { theme: theme.toLowerCase(), scheme: schemes[place] };
        for (const ground of grounds.map((names) => [names].flat())) {
          const [top = "", ...behind] = ground;
          const below = behind.map((name) => colours.resolve(name, look));
          for (const token of tokens) {
            for (const colour of colours.resolveAll(top, look)) {
              const ratio = contrastOf(colours.resolve(token, look), colour, ...below);
              if (ratio >= least) continue;
              faults.push(
                `${theme} ${scheme}: ${token} on ${ground.join(" on ")} ${ratio.toFixed(2)} < ${least}`,
              );
            }
          }
        }
      }
    }
  }
  expect(faults).toEqual([]);
});

test("every colour in a style sheet is in a pair", () => {
  const words = new Set(PAIRS.flatMap(({ least, colours: tokens }) => (least === WORDS ? tokens : [])));
  const all = new Set(PAIRS.flatMap(termsOf));
  const strangers = uses
    .filter(({ isWords, term }) => !(isWords ? words : all).has(term) && !DECORATION.includes(term))
    .filter(({ where }) => !exemptionsOf(where).length)
    .map(({ where, term }) => `${where}: ${term}`);
  expect(strangers).toEqual([]);
});

test("a text colour that is not for every surface is used with its background, and the two are a pair", () => {
  const forAll = PAIRS.filter(({ grounds }) => SURFACES.every((surface) => grounds.includes(surface)));
  const common = new Set(forAll.flatMap(({ colours: tokens }) => tokens));
  const strangers = rules.flatMap((rule) => {
    const own = usesIn(rule);
    const grounds = own.filter(({ where }) => / background(?:-color)?$/.test(where)).map(({ term }) => term);
    return own
      .filter(({ isWords, where }) => isWords && !exemptionsOf(where).length)
      .flatMap(({ term, where }) => {
        if (grounds.length === 0) return common.has(term) ? [] : [`${where}: ${term} without a ground`];
        const lost = grounds.filter((ground) => !PAIRS.some((pairs) => isPair(pairs, term, ground)));
        return lost.map((ground) => `${where}: ${term} on ${ground}`);
      });
  });
  expect(strangers).toEqual([]);
});

test("every use of opacity is known", () => {
  const faded = rules.flatMap(({ selector, declarations }) =>
    declarations
      .filter(([property, value]) => property === "opacity" && !/^[01]$/.test(value))
      .map(() => `${selector} opacity`),
  );
  expect(faded.filter((where) => exemptionsOf(where).length === 0)).toEqual([]);
});

test("every pair and exemption is used by a style sheet", () => {
  const used = new Set(uses.map(({ term }) => term));
  expect([...PAIRS.flatMap(termsOf), ...DECORATION].filter((term) => !used.has(term))).toEqual([]);
  const declared = rules.flatMap(({ selector, declarations }) =>
    declarations.map(([property]) => `${selector} ${property}`),
  );
  const kept = new Set(declared.flatMap(exemptionsOf));
  expect(
    Object.values(EXEMPT)
      .flat()
      .filter((exemption) => !kept.has(exemption)),
  ).toEqual([]);
});

function onPage(least: number, tokens: string[], grounds: string[]): Pairs {
  return { place: "page", least, colours: tokens, grounds };
}

function termsOf({ colours: tokens, grounds }: Pairs): string[] {
  return [...tokens, ...grounds.flat()];
}

function isPair({ least, colours: tokens, grounds }: Pairs, word: string, ground: string): boolean {
  return least === WORDS && tokens.includes(word) && grounds.some((names) => [names].flat()[0] === ground);
}

function exemptionsOf(where: string): string[] {
  return Object.values(EXEMPT)
    .flat()
    .filter((exemption) => where.startsWith(exemption));
}

/** The colours that a rule uses. Open values of a pair are checked with every possible value. */
function usesIn({ selector, declarations }: StyleRule) {
  return declarations
    .filter(([property]) =>
      property.startsWith("--")
        ? !OPEN.includes(property)
        : /color$|^(?:background|border|outline|box-shadow|text-shadow|fill|stroke|text-decoration)/.test(
            property,
          ),
    )
    .flatMap(([property, value]) =>
      colours.termsIn(value).map((term) => ({
        term,
        where: `${selector} ${property}`,
        isWords: property === "color" && !isIcon(selector),
      })),
    );
}

/** True when a rule only styles icons, which are not text. */
function isIcon(selector: string): boolean {
  return selector.split(",").every((one) => /\.lucide$/.test(one.trim()));
}
