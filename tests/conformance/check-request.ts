import type { ContractSystem } from "./contracts.ts";
import { UNDECLARED_FIELDS } from "./exceptions.ts";
import { describeErrors } from "./expect-conforms.ts";
import { openSpecification } from "./specification.ts";

/**
 * Checks a request against the published contract: query parameters must be declared, and the body must match its
 * schema without unknown fields. Real services often accept such mistakes; our tests must not.
 * @param body undefined = only the query is checked.
 * @returns what is wrong, or null. Operations outside the contract are not checked
 */
export function checkRequest(
  system: ContractSystem,
  method: string,
  url: string,
  body: unknown,
): string | null {
  const specification = openSpecification(system);
  const { pathname, searchParams } = new URL(url, "http://contract.invalid");
  const operation = specification.findOperation(method, pathname);
  if (!operation) return null;
  const parameters = ((operation.definition.parameters ?? []) as never[]).map(
    (parameter) => specification.resolve(parameter).value,
  );
  const allowed = parameters.filter((parameter) => parameter.in === "query").map(({ name }) => String(name));
  for (const name of searchParams.keys()) {
    if (!allowed.includes(name)) return `the query parameter ${name} is not declared`;
  }
  if (body === undefined) return null;
  const place = ["paths", operation.template, operation.method, "requestBody"];
  const declared = operation.definition.requestBody as never;
  if (!declared) return "a body came where none is declared";
  const schemaPlace = [...place, "content", "application/json", "schema"];
  const validate = specification.validator(schemaPlace);
  if (validate && !validate(body)) return describeErrors(validate.errors ?? []);
  const schema = (declared as { content: Record<string, { schema: { properties?: object } }> }).content[
    "application/json"
  ]?.schema;
  if (schema?.properties === undefined || body === null || typeof body !== "object") return null;
  const known = UNDECLARED_FIELDS.filter(
    (one) =>
      one.system === system && one.method === method.toUpperCase() && one.template === operation.template,
  ).map(({ field }) => field);
  const unknown = Object.keys(body).find(
    (field) => !(field in (schema.properties as object)) && !known.includes(field),
  );
  return unknown === undefined ? null : `the field ${unknown} is not declared`;
}
