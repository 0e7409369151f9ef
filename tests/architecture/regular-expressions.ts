import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import ts from "typescript";

/** A regular expression of the product as its source writes it. */
export type FoundExpression = {
  /** File, and the text of the expression: what stays the same when lines move. */
  where: string;
  /** The expression; null = it is put together at run time, from this text. */
  expression: RegExp | null;
};

/** Never part of the product: tests, what stands in for outside systems, and what maintainers run. */
const NOT_PRODUCT = /\.test\.tsx?$|\/simulator\/|^workers\/commands\/|test-world\.ts$|conformance-world\.ts$/;

/** Every regular expression of the product, by its syntax tree: literals, and calls of `RegExp`. */
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

/** A text that grows: `pump` is what is repeated. */
export type HostileText = { lead: string; pump: string; end: string };

/** Characters that stand for the classes an expression may name. */
const SAMPLES: Readonly<Record<string, readonly string[]>> = {
  ...{ s: [" ", "\n"], S: ["a"], d: ["1"], D: ["a"], w: ["a", "1"], W: ["-", " "], b: [], B: [] },
  ...{ n: ["\n"], r: ["\r"], t: ["\t"], f: ["\f"], v: ["\v"] },
};

/**
 * Texts on which an expression works hardest: each of its pieces repeated, alone and with its neighbours, behind whatever the
 * expression wants before it, with and without an end that spoils the match.
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
  // Longer words that the expression knows, again and again: each is a place where it may begin to look.
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

/** What each piece of a source may match, as one or two characters of its kind; groups and bounds are left out. */
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

/** Some characters of a class, whatever it is: tried one by one. */
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
