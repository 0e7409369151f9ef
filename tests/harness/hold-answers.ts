import { inject } from "vitest";
import type { ApiAnswer } from "#tests/conformance/api-document.ts";
import { shapeOf } from "#tests/conformance/shape-of.ts";

/** Asks for the document of the API whose answers are held. */
type ReadDocument = () => Promise<unknown>;

/**
 * Holds answers of the product's API against its own OpenAPI document: the call, the status and every member must be
 * described there. Schemas are compiled outside, which workerd forbids; answers of one shape are held once.
 * @returns a function that throws an Error which says what the document lacks
 */
export function answerHolder(readDocument: ReadDocument): (answer: ApiAnswer) => Promise<void> {
  const held = new Set<string>();
  let opened: Promise<string> | null = null;
  return async (answer) => {
    const shape = `${answer.method} ${answer.path} ${answer.status} ${shapeOf(answer.body)}`;
    if (held.has(shape)) return;
    held.add(shape);
    opened ??= readDocument().then(
      async (document) => (await post<{ id: string }>("/documents", document)).id,
    );
    const { breach } = await post<{ breach: string | null }>(`/documents/${await opened}/answers`, answer);
    if (breach === null) return;
    throw new Error(
      `${answer.method} ${answer.path} → ${answer.status} is not what the document says: ${breach}\n${JSON.stringify(answer.body).slice(0, 2_000)}`,
    );
  };
}

/** What the OpenAPI specification 3.1 has against a document. */
export async function documentFaults(document: unknown): Promise<string[]> {
  return (await post<{ faults: string[] }>("/documents", document)).faults;
}

async function post<T>(path: string, body: unknown): Promise<T> {
  const answer = await fetch(`${inject("outsideUrl")}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(await answer.text());
  return answer.json();
}
