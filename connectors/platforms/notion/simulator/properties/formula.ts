import type { Json } from "#core/kernel/canonical-json.ts";
import { invalid } from "../refused.ts";
import type { DataSource, Fields } from "../state.ts";
import { type Node, parseFormula } from "./formula-syntax.ts";
import { findProperty } from "./schema.ts";

/**
 * Formulas, in a small subset of Notion's language: literals, `prop("Name")`, operators, and a few functions. What is
 * outside it is refused when it is written. Formulas that a seed brings may have a stored result instead.
 *
 * Answers do not show names in expressions, but `{{notion:block_property:<id>:…:<data source>}}`. Source: the
 * documentation's example of a formula property, and public code that turns it back into `prop("…")`. Whether a request
 * may use that form is unproven, so it is refused.
 */

const NOBODY = "00000000-0000-0000-0000-000000000000";
const REFERENCE = /\{\{notion:block_property:([^:{}]+):[^{}]*\}\}/g;

/** Reads the expression of a request and gives the form in which answers show it. @throws Refused `validation_error` */
export function readExpression(source: DataSource, expression: string, place: string): string {
  if (expression.includes("{{notion:")) throw invalid(`body failed validation: ${place} is not a formula.`);
  try {
    checkNames(source, parseFormula(expression));
  } catch (cause) {
    throw invalid(`body failed validation: ${place}: ${(cause as Error).message}`);
  }
  return expression.replace(/prop\(\s*"((?:[^"\\]|\\.)*)"\s*\)/g, (_, name: string) => {
    const { id } = findProperty(source, name.replaceAll(/\\(.)/g, "$1"))!;
    return `{{notion:block_property:${id}:${NOBODY}:${source.id}}}`;
  });
}

/** The expression with names, as a person sees it. */
export function namedExpression(source: DataSource, expression: string): string {
  return expression.replace(REFERENCE, (_, id: string) => {
    const name = findProperty(source, id)?.name ?? "";
    return `prop("${name.replaceAll(/["\\]/g, "\\$&")}")`;
  });
}

/** Formulas lead to formulas; further than this, the value is unsupported. */
const DEPTH = 8;

/**
 * The value of a formula, with `read` for those of other properties, as `{ type, [type]: value }`; unsupported = it is
 * outside the subset.
 * @param of.depth formulas that led to this one
 */
export function formulaValue(
  { source, property, depth }: { source: DataSource; property: Fields; depth: number },
  read: (property: Fields) => Json,
): Fields {
  const unsupported = { type: "unsupported", unsupported: {} };
  if (depth >= DEPTH) return unsupported;
  try {
    const expression = String((property.formula as Fields).expression ?? "");
    const value = evaluate(parseFormula(namedExpression(source, expression)), (name) => {
      const found = findProperty(source, name);
      if (found === null) return null;
      return scalarOf({ type: found.type, [found.type]: read(found) });
    });
    if (typeof value === "number") return { type: "number", number: Number.isFinite(value) ? value : null };
    return typeof value === "boolean"
      ? { type: "boolean", boolean: value }
      : { type: "string", string: value };
  } catch {
    return unsupported;
  }
}

type Scalar = number | string | boolean | null;

function checkNames(source: DataSource, node: Node): void {
  if (node.kind === "property" && findProperty(source, node.name) === null)
    throw new Error(`there is no property ${JSON.stringify(node.name)}`);
  if (node.kind === "call") {
    if (!(node.name in FUNCTIONS)) throw new Error(`the function ${node.name} is not known here`);
    for (const each of node.parts) checkNames(source, each);
  }
}

function evaluate(node: Node, property: (name: string) => Scalar): Scalar {
  if (node.kind === "value") return node.value;
  if (node.kind === "property") return property(node.name);
  const parts = node.parts.map((each) => evaluate(each, property));
  return FUNCTIONS[node.name]!(...parts);
}

const numeric = (value: Scalar | undefined) => Number(value ?? 0);
const textual = (value: Scalar | undefined) => (value === null || value === undefined ? "" : String(value));

const FUNCTIONS: Record<string, (...parts: Scalar[]) => Scalar> = {
  "+": (a, b) =>
    typeof a === "string" || typeof b === "string" ? textual(a) + textual(b) : numeric(a) + numeric(b),
  "-": (a, b) => (b === undefined ? -numeric(a) : numeric(a) - numeric(b)),
  "*": (a, b) => numeric(a) * numeric(b),
  "/": (a, b) => numeric(a) / numeric(b),
  "%": (a, b) => numeric(a) % numeric(b),
  "==": (a, b) => a === b,
  "!=": (a, b) => a !== b,
  "<": (a, b) => numeric(a) < numeric(b),
  "<=": (a, b) => numeric(a) <= numeric(b),
  ">": (a, b) => numeric(a) > numeric(b),
  ">=": (a, b) => numeric(a) >= numeric(b),
  and: (...parts) => parts.every(Boolean),
  or: (...parts) => parts.some(Boolean),
  not: (a) => !a,
  if: (condition, yes, no) => (condition ? yes : no) ?? null,
  empty: (a) => a === null || a === "" || a === 0 || a === false,
  concat: (...parts) => parts.map(textual).join(""),
  length: (a) => textual(a).length,
  lower: (a) => textual(a).toLowerCase(),
  upper: (a) => textual(a).toUpperCase(),
  contains: (a, b) => textual(a).includes(textual(b)),
  format: (a) => textual(a),
  toNumber: (a) => numeric(a),
  abs: (a) => Math.abs(numeric(a)),
  round: (a) => Math.round(numeric(a)),
  floor: (a) => Math.floor(numeric(a)),
  ceil: (a) => Math.ceil(numeric(a)),
  min: (...parts) => Math.min(...parts.map(numeric)),
  max: (...parts) => Math.max(...parts.map(numeric)),
};

/** A value as a formula sees it. Dates, people and files are outside the subset. */
function scalarOf(value: Fields): Scalar {
  const inner = value[String(value.type)] ?? null;
  if (inner === null || typeof inner !== "object") return inner;
  if (value.type === "title" || value.type === "rich_text")
    return (inner as Fields[]).map(({ plain_text }) => String(plain_text)).join("");
  const fields = inner as Fields;
  if (value.type === "select" || value.type === "status") return fields.name as string;
  if (value.type === "formula" || value.type === "rollup") {
    const result: Json = fields[String(fields.type)] ?? null;
    if (result === null || typeof result !== "object") return result;
  }
  throw new Error("outside the subset");
}
