import katex from "katex";

/** Longer formulas stay LaTeX. Notion allows 1,000 characters. */
const LONGEST = 2_000;
/** Commands that a formula may expand to. */
const MOST_EXPANSIONS = 200;
/** Largest length that a formula may name, such as a space or a rule, in em. */
const LARGEST_EM = 10;

const ELEMENTS = new Set(
  [
    "math semantics mrow mi mn mo ms mtext mspace mstyle mpadded mphantom menclose",
    "mfrac msqrt mroot msub msup msubsup munder mover munderover mtable mtr mtd mlabeledtr",
  ].flatMap((names) => names.split(" ")),
);
/** No `style`, `class`, `id` and address. */
const ATTRIBUTES = new Set(
  [
    "xmlns display displaystyle scriptlevel mathvariant mathcolor mathbackground mathsize linethickness notation",
    "accent accentunder fence form separator stretchy symmetric largeop movablelimits linebreak lspace rspace",
    "minsize maxsize width height depth voffset columnalign columnlines columnspacing rowalign rowlines rowspacing",
  ].flatMap((names) => names.split(" ")),
);

/**
 * Renders LaTeX as MathML, which browsers show without styles and typefaces of ours. Returns null for LaTeX that is
 * wrong, too long or too costly: its source is better shown unchanged. Commands that link, load or set attributes are
 * off, and only elements and attributes of mathematics pass.
 */
export function renderFormula(latex: string, isBlock: boolean): string | null {
  if (latex.trim() === "" || latex.length > LONGEST) return null;
  const html = toMathMl(latex, isBlock);
  return html === null ? null : cleanMathMl(html);
}

function toMathMl(latex: string, displayMode: boolean): string | null {
  try {
    return katex.renderToString(latex, {
      displayMode,
      output: "mathml",
      throwOnError: true,
      trust: false,
      strict: "ignore",
      maxExpand: MOST_EXPANSIONS,
      maxSize: LARGEST_EM,
      macros: {},
    });
  } catch {
    // Wrong LaTeX, too many expansions, or groups nested too deeply for the parser's stack.
    return null;
  }
}

/** Keeps the `math` element without its LaTeX and without what `ELEMENTS` and `ATTRIBUTES` do not name. */
function cleanMathMl(html: string): string | null {
  const [begin, end] = [html.indexOf("<math"), html.lastIndexOf("</math>")];
  if (begin < 0 || end < begin) return null;
  const math = html
    .slice(begin, end + "</math>".length)
    .replace(/<annotation [^<>]*>[^<]*<\/annotation>/g, "");
  let isKnown = true;
  const clean = math.replace(
    /<(\/?)([^\s<>/]+)((?:[\s/][^<>]*)?)>/g,
    (_, slash: string, name: string, rest: string) => {
      isKnown &&= ELEMENTS.has(name);
      const kept = [...rest.matchAll(/ ([a-z]+)="([^"<>]*)"/g)].filter(
        ([, key, value]) => ATTRIBUTES.has(key!) && isNear(value!),
      );
      return `<${slash}${name}${kept.map(([attribute]) => attribute).join("")}${rest.endsWith("/") ? "/" : ""}>`;
    },
  );
  return isKnown ? clean : null;
}

const UNITS = new Set(["em", "ex", "px", "pt", "mu", "cm", "mm", "in"]);

/** False for a length that would move or stretch a part over what stands around the formula. The library lets some by. */
function isNear(value: string): boolean {
  const lengths = [...value.matchAll(/([\d.]+)([a-z]*)/g)].filter(([, , unit]) => UNITS.has(unit!));
  return lengths.every(([, number]) => Number(number) <= LARGEST_EM);
}
