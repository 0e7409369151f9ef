import type { ValidateFunction } from "ajv";
import type { AnsweredExchange } from "#connectors/toolkit/simulator/watch-answers.ts";
import { contractsAreAbsent, readContract } from "#tests/conformance/contracts.ts";
import { openAjv } from "#tests/conformance/open-ajv.ts";

type Schema = { properties?: Record<string, object> };
type Document = {
  paths: Record<string, Record<string, { parameters?: { name?: string; $ref?: string }[] }>>;
  components: { schemas: Record<string, Schema>; parameters: Record<string, { name: string }> };
};

/** The published type of each response, by a pattern of method and path without `/upload`. */
const TYPES: readonly [RegExp, string][] = [
  [/^GET \/about$/, "About"],
  [/^GET \/files\/generateIds$/, "GeneratedIds"],
  [/^GET \/files$/, "FileList"],
  [/^(GET|POST|PATCH|PUT) \/files(\/[^/]+)?$/, "File"],
];

/** Parameters of the upload protocol, which the published description omits. */
const UPLOAD_PARAMETERS = ["uploadType", "upload_id"];

/**
 * Checks a request's parameters and its response against the published description: parameters and fields must be
 * declared there, and fields must have the declared type.
 * @returns complaints; empty when everything matches or the contracts are absent
 */
export function misfitsOf({ method, url, status, body }: AnsweredExchange): string[] {
  if (contractsAreAbsent()) return [];
  const contract = openContract();
  const { pathname, searchParams } = new URL(url, "http://contract.invalid");
  const place = pathname.replace(/^(\/upload)?\/drive\/v3/, "");
  const call = `${method} ${place}`;
  const complaints = [...searchParams.keys()]
    .filter((name) => !contract.isDeclared(method, place, name))
    .map((name) => `${call}: the parameter ${name} is not declared`);
  const type = TYPES.find(([pattern]) => pattern.test(call))?.[1];
  if (type === undefined || body === null || status >= 300) return complaints;
  return [...complaints, ...contract.check(type, body).map((text) => `${call}: ${text}`)];
}

type Contract = {
  isDeclared(method: string, place: string, parameter: string): boolean;
  check(type: string, body: unknown): string[];
};
let opened: Contract | null = null;

function openContract(): Contract {
  if (opened !== null) return opened;
  const document = readContract("google-drive/drive-v3.openapi.json") as Document;
  const ajv = openAjv({ validateFormats: false });
  ajv.addSchema({ $id: "drive", ...document }, "drive", false, false);
  opened = {
    isDeclared(method, place, parameter) {
      if (UPLOAD_PARAMETERS.includes(parameter)) return true;
      const template = templateOf(document, place);
      const item = template === null ? undefined : document.paths[template];
      // The description has no operation for upload chunks.
      const operation = item?.[method === "PUT" ? "patch" : method.toLowerCase()];
      const common = (item?.parameters ?? []) as unknown as { name?: string; $ref?: string }[];
      return [...(operation?.parameters ?? []), ...common].some(
        ({ name, $ref }) => (name ?? nameOf(document, $ref)) === parameter,
      );
    },
    check(type, body) {
      const validate = ajv.getSchema(`drive#/components/schemas/${type}`) as ValidateFunction;
      const wrong = validate(body)
        ? []
        : (validate.errors ?? []).map(({ instancePath, message }) => `${type}${instancePath} ${message}`);
      const known = Object.keys(document.components.schemas[type]?.properties ?? {});
      const strange = Object.keys(body as object).filter((field) => !known.includes(field));
      return [...wrong, ...strange.map((field) => `${type} has no field ${field}`)];
    },
  };
  return opened;
}

function templateOf(document: Document, place: string): string | null {
  if (document.paths[place]) return place;
  const pattern = (template: string) => new RegExp(`^${template.replaceAll(/\{[^}]+\}/g, "[^/]+")}$`);
  return Object.keys(document.paths).find((template) => pattern(template).test(place)) ?? null;
}

function nameOf(document: Document, reference: string | undefined): string | undefined {
  return document.components.parameters[reference?.split("/").at(-1) ?? ""]?.name;
}
