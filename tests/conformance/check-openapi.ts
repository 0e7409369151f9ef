import { Ajv2020 } from "ajv/dist/2020.js";

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type JsonObject = { [key: string]: Json };

const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];
const MEMBERS = {
  document: "openapi info jsonSchemaDialect servers paths webhooks components security tags externalDocs",
  info: "title summary description termsOfService contact license version",
  pathItem: `$ref summary description servers parameters ${METHODS.join(" ")}`,
  operation:
    "tags summary description externalDocs operationId parameters requestBody responses callbacks deprecated security servers",
  parameter:
    "name in description required deprecated allowEmptyValue style explode allowReserved schema example examples content",
  requestBody: "description content required",
  response: "description headers content links",
  mediaType: "schema example examples encoding",
  example: "summary description value externalValue",
  header: "description required deprecated style explode schema example examples content",
  components:
    "schemas responses parameters examples requestBodies headers securitySchemes links callbacks pathItems",
  securityScheme: "type description name in scheme bearerFormat flows openIdConnectUrl",
} as const;

/**
 * Violations of the OpenAPI 3.1 specification in a document: unknown and missing members, unresolved references,
 * parameters that the path does not have, invalid schemas, examples that violate their schema.
 */
export function faultsOfOpenApi(document: JsonObject): string[] {
  const faults: string[] = [];
  const fault = (place: string, text: string) => void faults.push(`${place}: ${text}`);
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
  ajv.addSchema({ $id: "document", ...document }, "document", false, false);

  const object = (place: string, value: Json | undefined, kind: keyof typeof MEMBERS): JsonObject => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      fault(place, "is no object");
      return {};
    }
    const known = MEMBERS[kind].split(" ");
    for (const name of Object.keys(value))
      if (!known.includes(name) && !name.startsWith("x-")) fault(place, `${name} is no member of a ${kind}`);
    return value;
  };
  const followed = (value: Json | undefined): Json | undefined => {
    const reference = (value as JsonObject | undefined)?.$ref;
    if (typeof reference !== "string") return value;
    return reference
      .slice(2)
      .split("/")
      .reduce<Json | undefined>((at, part) => (at as JsonObject | undefined)?.[part], document);
  };
  const schemaAt = (place: string, schema: Json | undefined) => {
    if (schema === undefined) return;
    if (!ajv.validateSchema(schema as object)) fault(place, `no JSON Schema: ${ajv.errorsText(ajv.errors)}`);
  };
  const contentAt = (place: string, content: Json | undefined, pointer: string[]) => {
    for (const [type, value] of Object.entries((content ?? {}) as JsonObject)) {
      const here = `${place} ${type}`;
      if (!/^[\w*.+-]+\/[\w*.+-]+$/.test(type)) fault(here, "is no media type");
      const media = object(here, value, "mediaType");
      schemaAt(here, media.schema);
      for (const [name, reference] of Object.entries((media.examples ?? {}) as JsonObject)) {
        const example = object(`${here} ${name}`, followed(reference), "example");
        const parts = [...pointer, "content", type, "schema"];
        const path = parts.map((part) => encodeURIComponent(part.replace(/~/g, "~0").replace(/\//g, "~1")));
        const validate = ajv.getSchema(`document#/${path.join("/")}`);
        if (!validate?.(example.value))
          fault(`${here} ${name}`, `breaks its schema: ${ajv.errorsText(validate?.errors)}`);
      }
    }
  };

  object("document", document, "document");
  if (!/^3\.1\.\d+$/.test(String(document.openapi))) fault("openapi", "is not 3.1");
  const info = object("info", document.info, "info");
  for (const name of ["title", "version"])
    if (typeof info[name] !== "string") fault("info", `${name} is missing`);
  const components = object("components", document.components, "components");
  for (const [kind, members] of Object.entries(components)) {
    for (const [name, member] of Object.entries(members as JsonObject)) {
      if (!/^[\w.-]+$/.test(name)) fault(`components ${kind}`, `${name} is no name`);
      if (kind === "schemas") schemaAt(`components schemas ${name}`, member);
      if (kind === "securitySchemes") object(`components ${name}`, member, "securityScheme");
      if (kind === "examples") object(`components ${name}`, member, "example");
    }
  }
  const schemes = Object.keys((components.securitySchemes ?? {}) as JsonObject);
  const securityAt = (place: string, value: Json | undefined) => {
    for (const need of (value ?? []) as JsonObject[])
      for (const name of Object.keys(need)) if (!schemes.includes(name)) fault(place, `${name} is no scheme`);
  };
  securityAt("security", document.security);
  const operationIds = new Set<Json>();
  for (const [path, pathItem] of Object.entries((document.paths ?? {}) as JsonObject)) {
    if (!path.startsWith("/")) fault(path, "does not begin with a slash");
    for (const [method, value] of Object.entries(object(path, pathItem, "pathItem"))) {
      if (!METHODS.includes(method)) continue;
      const place = `${method.toUpperCase()} ${path}`;
      const operation = object(place, value, "operation");
      if (operation.operationId !== undefined) {
        if (operationIds.has(operation.operationId)) fault(place, "its operationId is not unique");
        operationIds.add(operation.operationId);
      }
      securityAt(place, operation.security);
      const seen = new Set<string>();
      for (const reference of (operation.parameters ?? []) as Json[]) {
        const parameter = object(place, followed(reference), "parameter");
        const key = `${parameter.in} ${parameter.name}`;
        if (!["query", "header", "path", "cookie"].includes(String(parameter.in)))
          fault(place, `${key}: where?`);
        if (seen.has(key)) fault(place, `${key} is there twice`);
        seen.add(key);
        if (parameter.in === "path" && parameter.required !== true) fault(place, `${key} is not required`);
        if ((parameter.schema === undefined) === (parameter.content === undefined))
          fault(place, `${key} needs a schema`);
        schemaAt(`${place} ${key}`, parameter.schema);
      }
      const named = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => `path ${name}`).sort();
      const declared = [...seen].filter((key) => key.startsWith("path ")).sort();
      if (named.join() !== declared.join()) fault(place, "its path and its parameters differ");
      const pointer = ["paths", path, method];
      if (operation.requestBody !== undefined) {
        const body = object(place, followed(operation.requestBody), "requestBody");
        if (body.content === undefined) fault(place, "its body has no content");
        contentAt(`${place} body`, body.content, [...pointer, "requestBody"]);
      }
      const responses = Object.entries((operation.responses ?? {}) as JsonObject);
      if (responses.length === 0) fault(place, "has no answer");
      for (const [status, answer] of responses) {
        const here = `${place} → ${status}`;
        if (!/^([1-5](\d\d|XX)|default)$/.test(status)) fault(here, "is no status");
        const response = object(here, followed(answer), "response");
        if (typeof response.description !== "string") fault(here, "has no description");
        for (const [name, header] of Object.entries((response.headers ?? {}) as JsonObject))
          object(`${here} ${name}`, followed(header), "header");
        contentAt(here, response.content, [...pointer, "responses", status]);
      }
    }
  }
  visitReferences(document, (reference) => {
    if (!reference.startsWith("#/") || followed({ $ref: reference }) === undefined)
      fault(reference, "leads nowhere");
  });
  return faults;
}

function visitReferences(value: Json, see: (reference: string) => void): void {
  if (Array.isArray(value)) {
    for (const member of value) visitReferences(member, see);
    return;
  }
  if (value === null || typeof value !== "object") return;
  if (typeof value.$ref === "string") see(value.$ref);
  for (const member of Object.values(value)) visitReferences(member, see);
}
