import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { describeErrors } from "./expect-conforms.ts";

/** One response of the product's own API. */
export type ApiAnswer = { method: string; path: string; status: number; body: unknown };

type Operation = { responses: Record<string, { content?: Record<string, unknown> }>; requestBody?: unknown };

/** The product's OpenAPI document, for checking responses. */
export type ApiDocument = {
  /** How a response differs from the document. Null when it does not, or when the document does not cover it. */
  breachOf(answer: ApiAnswer): string | null;
};

/** Compiles a document once. @throws Error when one of its schemas is invalid */
export function readApiDocument(document: { paths: Record<string, Record<string, Operation>> }): ApiDocument {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  ajv.addSchema({ $id: "api", ...document }, "api", false, false);
  const validatorAt = (place: readonly string[]) => {
    const pointer = place.map((part) => encodeURIComponent(part.replace(/~/g, "~0").replace(/\//g, "~1")));
    const validate = ajv.getSchema(`api#/${pointer.join("/")}`);
    if (!validate) throw new Error(`The document has no schema at ${place.join(" → ")}`);
    return validate;
  };
  const check = (place: readonly string[], value: unknown) => {
    const validate = validatorAt(place);
    return validate(value) ? null : describeErrors(validate.errors ?? []);
  };
  return {
    breachOf({ method, path: address, status, body }) {
      const path = documented(document.paths, address.split("?")[0] ?? "");
      const name = method === "HEAD" ? "get" : method.toLowerCase();
      const operation = document.paths[path]?.[name];
      if (!operation) {
        // The path has no call, or not with this method.
        const isCall = /^\/(api|identity)\//.test(path);
        return isCall && ![404, 405, 423, 503].includes(status) ? "the document has no such call" : null;
      }
      const answer = operation.responses[String(status)];
      if (!answer) return `the status ${status} is not declared`;
      if (method === "HEAD" || !answer.content?.["application/json"]) return null;
      const place = [
        "paths",
        path,
        name,
        "responses",
        String(status),
        "content",
        "application/json",
        "schema",
      ];
      return check(place, body);
    },
  };
}

/** The path as the document names it: `/invoices/{id}` for `/invoices/in_1`. */
function documented(paths: Record<string, unknown>, path: string): string {
  if (Object.hasOwn(paths, path)) return path;
  const parts = path.split("/");
  const fits = (template: string) => {
    const wanted = template.split("/");
    return (
      wanted.length === parts.length && wanted.every((part, at) => part.startsWith("{") || part === parts[at])
    );
  };
  return Object.keys(paths).find((each) => /^\/(api|identity)\//.test(each) && fits(each)) ?? path;
}
