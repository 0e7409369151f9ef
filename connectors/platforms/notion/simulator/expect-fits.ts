import { expect } from "vitest";
import type { AnsweredExchange } from "#connectors/toolkit/simulator/watch-answers.ts";
import { contractsAreAbsent, readContract } from "#tests/conformance/contracts.ts";
import { type Schema, schemaMisfits } from "./schema-misfits.ts";

/**
 * Checks an answer of the API against its contract: the operation exists, and the body has the declared members and types
 * and no others. Objects must be whole: a page of which only the id is shown is a mismatch, although the contract has it.
 * @param exchange `url` may have a host, a query and the prefix `/v1`
 * @returns mismatches; empty when it fits, or without the contracts
 */
export function misfitsOf({ method, url, status, body }: AnsweredExchange): string[] {
  if (contractsAreAbsent()) return [];
  const call = callOf(method, url);
  if (status >= 400) return named(call, status, schemaMisfits(componentOf("error"), body, resolve));
  const operation = findOperation(method, url);
  if (operation === null) return [`${call}: there is no such operation`];
  const schema = operation.responses["200"]?.content["application/json"]?.schema;
  if (schema === undefined || body === null) return [`${call} → ${status}: the body is empty`];
  // A write of Markdown may go on after its answer. Evidence: the recorded answer 202, a task with a status.
  const expected = status === 202 ? componentOf("GetAsyncTaskResponse") : schema;
  return named(call, status, schemaMisfits(expected, withoutRequestId(body), resolve));
}

/** Fails a test whose answer does not fit the contract. */
export function expectFits(method: string, url: string, status: number, body: unknown): void {
  expect(misfitsOf({ method, url, status, body })).toEqual([]);
}

/** Fails a test whose request does not fit the contract. */
export function expectRequestFits(method: string, url: string, body: unknown): void {
  expect(requestMisfitsOf({ method, url, body })).toEqual([]);
}

/**
 * Checks the JSON body of a request against the contract.
 * @returns mismatches; empty when it fits, when the contract does not describe bodies of the operation, or without the
 *   contracts
 */
export function requestMisfitsOf({ method, url, body }: Omit<AnsweredExchange, "status">): string[] {
  if (contractsAreAbsent()) return [];
  const operation = findOperation(method, url);
  if (operation === null) return [`${callOf(method, url)}: there is no such operation`];
  const schema = operation.requestBody?.content["application/json"]?.schema;
  if (schema === undefined) return [];
  return schemaMisfits(schema, body ?? {}, resolve).map((text) => `${callOf(method, url)}: ${text}`);
}

type Content = { content: Record<string, { schema: Schema }> };
type Operation = { requestBody?: Content; responses: Record<string, Content> };
type Contract = {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};

const PREFIX = "#/components/schemas/";

/** Things of which the contract also has a short form, for apps that may not read them. Users have it everywhere. */
const SHORT_FORM = /\/Partial(Page|Block|Database|DataSource|DataSourceView|Comment)ObjectResponse$/;

let whole: Contract | null = null;

function contract(): Contract {
  whole ??= onlyWhole(readContract("notion/openapi.derived.json")) as Contract;
  return whole;
}

/** The contract without the short forms wherever it also offers another form. */
function onlyWhole(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(onlyWhole);
  if (value === null || typeof value !== "object") return value;
  const copy = Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, onlyWhole(inner)]));
  if (Array.isArray(copy.anyOf)) {
    const kept = (copy.anyOf as Schema[]).filter(({ $ref }) => $ref === undefined || !SHORT_FORM.test($ref));
    if (kept.length > 0) copy.anyOf = kept;
  }
  return copy;
}

function resolve(reference: string): Schema {
  return componentOf(reference.slice(PREFIX.length));
}

function componentOf(name: string): Schema {
  const found = contract().components.schemas[name];
  if (found === undefined) throw new Error(`The contract has no schema ${name.slice(0, 80)}`);
  return found;
}

/** The path below the host, with `/v1` and without the query. */
function pathOf(url: string): string {
  const path = url.replace(/^https?:\/\/[^/]+/, "").split("?")[0] ?? "";
  return path.startsWith("/v1/") ? path : `/v1${path}`;
}

function callOf(method: string, url: string): string {
  return `${method} ${pathOf(url).replace(/[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}/g, "…")}`;
}

function findOperation(method: string, url: string): Operation | null {
  const parts = pathOf(url).split("/");
  const fits = Object.entries(contract().paths).filter(([template, operations]) => {
    const places = template.split("/");
    return (
      method.toLowerCase() in operations &&
      places.length === parts.length &&
      places.every((place, index) => place.startsWith("{") || place === parts[index])
    );
  });
  // `/blocks/meeting_notes` is no block.
  fits.sort(([a], [b]) => a.split("{").length - b.split("{").length);
  return fits[0]?.[1][method.toLowerCase()] ?? null;
}

/** Every answer has it, and no schema but that of errors. Evidence: the recordings. */
function withoutRequestId(body: unknown): unknown {
  if (body === null || typeof body !== "object" || Array.isArray(body)) return body;
  const { request_id: _, ...rest } = body as Record<string, unknown>;
  return rest;
}

/**
 * What the types lack. Evidence: the recorded lists of users; codes of errors that only the answers of tasks declare.
 */
const UNDECLARED =
  /\/person\/email_verified is not declared$|the undeclared value "(missing_version|row_limit_exceeded)"$/;

function named(call: string, status: number, misfits: string[]): string[] {
  const real = misfits.filter((text) => !UNDECLARED.test(text));
  return real.map((text) => `${call} → ${status}: ${text.replace(/\/\d+(?=[/ ])/g, "/…")}`);
}
