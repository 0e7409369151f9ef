import { z } from "zod";
import type { ConnectorOperation } from "#connectors/contract/operations.ts";

type JsonSchema = { [key: string]: unknown };

/**
 * Returns what is wrong with the operations of a connector: input that accepts unknown members or unlimited texts, or
 * has the member that the API adds, a query with objects or lists, a result that OpenAPI cannot describe.
 */
export function faultsOfOperations(operations: readonly ConnectorOperation[]): string[] {
  return operations.flatMap((operation) => {
    const line = `${operation.method} ${operation.path}`;
    return [...inputFaults(operation), ...resultFaults(operation)].map((fault) => `${line}: ${fault}`);
  });
}

function inputFaults({ method, input }: ConnectorOperation): string[] {
  const schema = z.toJSONSchema(input, { io: "input", unrepresentable: "any" }) as JsonSchema;
  const faults: string[] = [];
  if ("connection_id" in input.shape) faults.push("it takes connection_id, which the API adds");
  if (method === "GET") {
    for (const [name, member] of Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>))
      if (["object", "array"].includes(String(member.type))) faults.push(`${name} fits into no query`);
  }
  visit(schema, (at) => {
    if (at.type === "object" && at.additionalProperties === undefined)
      faults.push("it takes unknown members");
    const isBounded = ["maxLength", "enum", "const"].some((key) => key in at);
    if (at.type === "string" && !isBounded) faults.push("it takes a text of any length");
    if (at.type === "array" && !("maxItems" in at)) faults.push("it takes a list of any length");
  });
  return faults;
}

function resultFaults({ result }: ConnectorOperation): string[] {
  try {
    z.toJSONSchema(result, { io: "output" });
    return [];
  } catch (cause) {
    return [`its result cannot be described: ${cause instanceof Error ? cause.message : String(cause)}`];
  }
}

function visit(value: unknown, see: (schema: JsonSchema) => void): void {
  if (value === null || typeof value !== "object") return;
  if (!Array.isArray(value)) see(value as JsonSchema);
  for (const member of Object.values(value)) visit(member, see);
}
