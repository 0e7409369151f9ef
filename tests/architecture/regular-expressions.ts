import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import ts from "typescript";

/** A regular expression in the product's source. */
export type FoundExpression = {
  /** The file and the text of the expression, which do not change when lines move. */
  where: string;
  /** The expression. Null = built at run time. */
  expression: RegExp | null;
};

/** Not part of the product: tests, simulators, and maintainers' commands. */
const NOT_PRODUCT = /\.test\.tsx?$|\/simulator\/|^workers\/commands\/|test-world\.ts$|conformance-world\.ts$/;

/** Every regular expression of the product, found in the syntax tree: literals and calls of `RegExp`. */
export function findExpressions(): FoundExpression[] {
  const rooms = ["app", "connectors", "core", "durable-objects", "workers"];
  const files = execFileSync("git", ["ls-files", "-co", "--exclude-standard", ...rooms], { encoding: "utf8" })
    .split("\n")
    .filter((file) => /\.tsx?$/.test(file) && !NOT_PRODUCT.test(file));
  return files.flatMap(expressionsOf);
}

function expressionsOf(file: string): FoundExpression[] {
  const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true);
  const found: FoundExpression[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf("/");
      const expression = new RegExp(node.text.slice(1, end), node.text.slice(end + 1));
      found.push({ where: `${file} ${node.text}`, expression });
    }
    const isCall = ts.isNewExpression(node) || ts.isCallExpression(node);
    if (isCall && node.expression.getText() === "RegExp") {
      const text = (node.arguments ?? []).map((each) => each.getText()).join(", ");
      found.push({ where: `${file} ${text.replace(/\s+/g, " ")}`, expression: null });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** A text of any length. `pump` is repeated. */
export type HostileText = { lead: string; pump: string; end: string };

/** Sample characters for the character classes of expressions. */
const SAMPLES: Readonly<Record<string, readonly string[]>> = {
  ...{ s: [" ", "\n"], S: ["a"], d: ["1"], D: ["a"], w: ["a", "1"], W: ["-", " "], b: [], B: [] },
  ...{ n: ["\n"], r: ["\r"], t: ["\t"], f: ["\f"], v: ["\v"] },
};

/**
 * Texts that cost an expression the most work: each of its pieces repeated, alone and with its neighbours, after what
 * the expression expects before it, with and without an end that breaks the match.
 */
export function hostileTexts({ source }: RegExp): HostileText[] {
  const pieces = piecesOf(source);
  const texts = new Map<string, HostileText>();
  const add = (lead: string, pump: string) => {
    if (pump === "") return;
    for (const end of ["", "\u0001", "\n!", "x"]) texts.set(`${lead}|${pump}|${end}`, { lead, pump, end });
  };
  for (const [at, samples] of pieces.entries()) {
    const lead = pieces
      .slice(0, at)
      .map(([first = ""]) => first)
      .join("");
    for (const sample of samples) {
      for (const before of new Set(["", "x", lead])) {
        add(before, sample);
        for (const neighbour of [pieces[at + 1]?.[0], pieces[at + 2]?.[0], pieces[at - 1]?.[0]]) {
          if (neighbour !== undefined) add(before, sample + neighbour);
        }
      }
    }
  }
  // Words of the expression, repeated: each one is a possible start of a match.
  for (const word of source.match(/[A-Za-z0-9 <>/:="'-]{2,}/g) ?? []) add("", word);
  add(
    "",
    pieces
      .slice(0, 4)
      .map(([first = ""]) => first)
      .join(""),
  );
  return [...texts.values()];
}

/** One or two sample characters for each piece of a source. Skips groups and quantifiers. */
function piecesOf(source: string): string[][] {
  const pieces: string[][] = [];
  const kinds =
    /\\p\{[^}]*\}|\\u[0-9a-f]{4}|\\x[0-9a-f]{2}|\\.|\[(?:\\.|[^\]\\])*\]|\(\?<?[:=!]|\(\?<\w+>|\{\d+(?:,\d*)?\}|[\s\S]/gi;
  for (const [piece] of source.matchAll(kinds)) {
    if (/^(?:\(.*|[)|^$*+?]|\{\d.*\})$/s.test(piece)) continue;
    pieces.push(samplesOf(piece));
  }
  return pieces;
}

function samplesOf(piece: string): string[] {
  if (piece === ".") return ["a"];
  if (piece.startsWith("\\p")) return ["é", "\u0002", " "];
  if (/^\\[ux]/.test(piece)) return [String.fromCharCode(Number.parseInt(piece.slice(2), 16))];
  if (piece.startsWith("\\")) return [...(SAMPLES[piece[1]!] ?? [piece[1]!])];
  if (piece.startsWith("[")) return charactersOf(piece);
  return [piece];
}

/** Up to six characters that a class matches, found by trying. */
function charactersOf(text: string): string[] {
  const known = new RegExp(`^${text}$`, /\\p/.test(text) ? "u" : "");
  const some = [
    "a",
    "1",
    " ",
    "-",
    ".",
    "_",
    "/",
    "<",
    '"',
    "=",
    "@",
    "\t",
    "\n",
    "\r",
    "Z",
    "`",
    "é",
    "+",
    "[",
  ];
  return some.filter((character) => known.test(character)).slice(0, 6);
}
