import { readFileSync } from "node:fs";
import { Ajv, type ValidateFunction } from "ajv";
import type { Adf } from "./state.ts";

const known: { validate?: ValidateFunction } = {};

function validator(): ValidateFunction {
  if (known.validate) return known.validate;
  const schema: Record<string, unknown> = JSON.parse(
    readFileSync(new URL("./adf-schema.json", import.meta.url), "utf8"),
  );
  // The schema is of draft 4, whose keywords here mean the same later.
  delete schema.$schema;
  known.validate = new Ajv({ strict: false, inlineRefs: false, code: { optimize: false } }).compile(schema);
  return known.validate;
}

/** Whether a value is a document by the published schema of the Atlassian Document Format. */
export function isAdf(value: unknown): value is Adf {
  return validator()(value) as boolean;
}

/** A document of one paragraph for each line. */
export function textDocument(text: string): Adf {
  return {
    type: "doc",
    version: 1,
    content: text
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => ({ type: "paragraph", content: [{ type: "text", text: line }] })),
  };
}

/** The text of a document, for the changelog. */
export function plainText(document: unknown): string {
  if (document === null || typeof document !== "object") return "";
  const node = document as { type?: string; text?: string; content?: unknown[]; attrs?: { text?: string } };
  if (node.type === "text") return node.text ?? "";
  if (node.type === "mention") return node.attrs?.text ?? "";
  const parts = (node.content ?? []).map(plainText);
  return parts.join(node.type === "doc" ? "\n" : "");
}

/** The ids of media nodes in a document. */
export function mediaIdsOf(document: unknown): string[] {
  if (document === null || typeof document !== "object") return [];
  const node = document as { type?: string; content?: unknown[]; attrs?: { id?: string } };
  const own = node.type === "media" && node.attrs?.id ? [node.attrs.id] : [];
  return [...own, ...(node.content ?? []).flatMap(mediaIdsOf)];
}
