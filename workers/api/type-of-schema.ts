/** The part of JSON Schema that our schemas use. */
export type JsonSchema = {
  type?: string | string[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
  propertyNames?: JsonSchema;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  enum?: unknown[];
  const?: unknown;
  $ref?: string;
};

/** The TypeScript type of a JSON Schema. Limits such as lengths have no type. @throws when a schema refers to another */
export function typeOfSchema(schema: JsonSchema): string {
  if (schema.$ref !== undefined) throw new Error(`A schema refers to ${schema.$ref}.`);
  if ("const" in schema) return JSON.stringify(schema.const);
  if (schema.enum) return unionOf(schema.enum.map((value) => JSON.stringify(value)));
  const several = schema.anyOf ?? schema.oneOf;
  if (several) return unionOf(several.map(typeOfSchema));
  if (schema.allOf) return schema.allOf.map(typeOfSchema).join(" & ");
  if (Array.isArray(schema.type))
    return unionOf(schema.type.map((type) => typeOfSchema({ ...schema, type })));
  switch (schema.type) {
    case "string":
      return "string";
    case "integer":
    case "number":
      return "number";
    case "boolean":
      return "boolean";
    case "null":
      return "null";
    case "array":
      return `(${schema.items ? typeOfSchema(schema.items) : "Json"})[]`;
    case "object":
      return objectOf(schema);
    default:
      return "Json";
  }
}

function objectOf({
  properties = {},
  required = [],
  additionalProperties,
  propertyNames,
}: JsonSchema): string {
  const members = Object.entries(properties).map(
    ([name, schema]) =>
      `${JSON.stringify(name)}${required.includes(name) ? "" : "?"}: ${typeOfSchema(schema)}${required.includes(name) ? "" : " | undefined"};`,
  );
  const known = `{ ${members.join(" ")} }`;
  if (typeof additionalProperties !== "object") return members.length === 0 ? "Record<never, never>" : known;
  const others = `Record<${propertyNames?.enum ? typeOfSchema(propertyNames) : "string"}, ${typeOfSchema(additionalProperties)}>`;
  if (members.length === 0) return others;
  return Object.keys(additionalProperties).length === 0
    ? `${known} & Record<string, unknown>`
    : `${known} & ${others}`;
}

function unionOf(types: string[]): string {
  return [...new Set(types)].join(" | ");
}
