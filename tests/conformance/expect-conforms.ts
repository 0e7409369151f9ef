import type { ErrorObject, ValidateFunction } from "ajv";
import type { ContractSystem } from "./contracts.ts";
import {
  CONTRACT_EXCEPTIONS,
  EMPTIED_MEMBERS,
  UNDECLARED_MEMBERS,
  UNDECLARED_STATUSES,
} from "./exceptions.ts";
import { type Json, type Operation, openSpecification, type Specification } from "./specification.ts";

/**
 * Checks one response of a simulator against the published contract: the operation must exist, the status must be
 * declared or be one that any operation may return, and the body must match the schema.
 * @param url Path with or without a query, relative to the API's base, e.g. `/user/repos?page=2`.
 * @param body The parsed JSON, or null when there is none.
 * @throws Error that describes the mismatch
 */
export function expectConforms(
  system: ContractSystem,
  method: string,
  url: string,
  status: number,
  body: unknown,
): void {
  const complaint = findBreach(system, method, url, status, body);
  if (complaint !== null)
    throw new Error(`${method} ${url} → ${status} breaks ${system}'s contract: ${complaint}`);
}

function findBreach(
  system: ContractSystem,
  method: string,
  url: string,
  status: number,
  body: unknown,
): string | null {
  const path = url.split("?")[0] ?? "/";
  const isExcepted = CONTRACT_EXCEPTIONS.some(
    (known) =>
      known.system === system &&
      known.method === method &&
      known.status === status &&
      known.template.test(path),
  );
  if (isExcepted) return null;
  const specification = openSpecification(system);
  const operation = specification.findOperation(method, path);
  if (!operation)
    return UNDECLARED_STATUSES.includes(status) ? errorBreach(body) : "there is no such operation";
  const declared = (operation.definition.responses as Record<string, never>)[String(status)];
  if (declared === undefined) {
    return UNDECLARED_STATUSES.includes(status) ? errorBreach(body) : "the status is not declared";
  }
  const validate = responseValidator(specification, operation, status);
  if (validate === null) return body === null ? null : "a body came where none is declared";
  validate(body);
  const isEmptied = ({ keyword, instancePath }: ErrorObject) =>
    keyword === "type" &&
    EMPTIED_MEMBERS.some((known) => known.system === system && known.member.test(instancePath));
  const errors = (validate.errors ?? []).filter((error) => !isEmptied(error));
  if (errors.length > 0) return describeErrors(errors);
  const schema = responseSchema(specification, operation, status);
  const isKnown = (member: string) =>
    UNDECLARED_MEMBERS.some((known) => known.system === system && known.member.test(member));
  const stray = schema === null ? null : specification.strayMember(schema, body, isKnown);
  return stray === null ? null : `${stray} is not declared`;
}

/** One sentence per violated rule, at most five. */
export function describeErrors(errors: readonly ErrorObject[]): string {
  return errors
    .slice(0, 5)
    .map(({ instancePath, message }) => `${instancePath || "the body"} ${message}`)
    .join("; ");
}

function responseValidator(
  specification: Specification,
  operation: Operation,
  status: number,
): ValidateFunction | null {
  const place = placeOfSchema(specification, operation, status);
  return place === null ? null : specification.validator(place);
}

function responseSchema(specification: Specification, operation: Operation, status: number): Json | null {
  const place = placeOfSchema(specification, operation, status);
  return place === null ? null : specification.at(place);
}

function placeOfSchema(
  specification: Specification,
  { method, template, definition }: Operation,
  status: number,
): string[] | null {
  const declared = (definition.responses as Record<string, never>)[String(status)];
  const { value, place } = specification.resolve(declared);
  const content = Object.keys((value.content ?? {}) as object).find((type) => type.includes("json"));
  if (content === undefined) return null;
  const base = place ?? ["paths", template, method, "responses", String(status)];
  return [...base, "content", content, "schema"];
}

function errorBreach(body: unknown): string | null {
  const message = (body as { message?: unknown } | null)?.message;
  return typeof message === "string" ? null : "an error without a message";
}
