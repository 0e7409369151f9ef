import { inject } from "vitest";
import type { ApiAnswer } from "#tests/conformance/api-document.ts";
import { shapeOf } from "#tests/conformance/shape-of.ts";

/** Reads the OpenAPI document that responses are checked against. */
type ReadDocument = () => Promise<unknown>;

/**
 * Checks responses of the product's API against its own OpenAPI document, which must describe the call, the status and
 * every member. Schemas are compiled in Node because workerd forbids it. Responses of one shape that the document describes are checked once.
 * @returns a function that throws an Error naming what the document lacks
 */
export function answerHolder(readDocument: ReadDocument): (answer: ApiAnswer) => Promise<void> {
  const held = new Set<string>();
  let opened: Promise<string> | null = null;
  return async (answer) => {
    const shape = `${answer.method} ${answer.path} ${answer.status} ${shapeOf(answer.body)}`;
    if (held.has(shape)) return;
    opened ??= readDocument().then(
      async (document) => (await post<{ id: string }>("/documents", document)).id,
    );
    const { breach } = await post<{ breach: string | null }>(`/documents/${await opened}/answers`, answer);
    if (breach === null) {
      held.add(shape);
      return;
    }
    throw new Error(
      `${answer.method} ${answer.path} → ${answer.status} is not what the document says: ${breach}\n${JSON.stringify(answer.body).slice(0, 2_000)}`,
    );
  };
}

/** Violations of the OpenAPI 3.1 specification in a document. */
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
