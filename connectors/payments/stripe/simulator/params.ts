import { z } from "zod";
import { StripeFault } from "./errors.ts";
import type { FormValue } from "./form.ts";

/** Parameters arrive as texts. An empty text clears what it names (docs.stripe.com/api/metadata). */
export const text = z.string().transform((value) => (value === "" ? null : value));
export const id = z.string().min(1);
export const int = z
  .string()
  .regex(/^-?\d+$/, "integer")
  .transform(Number);
export const decimal = z
  .string()
  .regex(/^-?\d+(\.\d+)?$/, "decimal")
  .transform(Number);
export const bool = z.enum(["true", "false"]).transform((value) => value === "true");
const cleared = z.literal("").transform(() => null);
/** A value that an empty text clears. */
export const clearable = <T extends z.ZodType>(schema: T) => z.union([cleared, schema]);
export const metadata = clearable(z.record(z.string(), z.string()));
export const strings = z.array(z.string());
const expand = strings.optional();
export const address = clearable(
  z.strictObject({
    city: text.optional(),
    country: text.optional(),
    line1: text.optional(),
    line2: text.optional(),
    postal_code: text.optional(),
    state: text.optional(),
  }),
);
const range = z.union([
  int,
  z.strictObject({ gt: int.optional(), gte: int.optional(), lt: int.optional(), lte: int.optional() }),
]);

/** The parameters of an endpoint; everything else is refused. Every endpoint takes `expand`. */
export const params = <S extends z.ZodRawShape>(shape: S) => z.strictObject({ ...shape, expand });

/** The parameters of a list (docs.stripe.com/api/pagination). */
export const listParams = <S extends z.ZodRawShape>(shape: S) =>
  params({
    ...shape,
    created: range.optional(),
    limit: int.pipe(z.number().min(1).max(100)).optional(),
    starting_after: id.optional(),
    ending_before: id.optional(),
  });

/** The page of a list that a call asks for. */
export type PageQuery = {
  created?: z.output<typeof range> | undefined;
  limit?: number | undefined;
  starting_after?: string | undefined;
  ending_before?: string | undefined;
};

type Issue = z.core.$ZodIssue;

/**
 * Reads the parameters of a call.
 * @throws StripeFault 400 `parameter_unknown`, `parameter_missing`, `parameter_invalid_…` (docs.stripe.com/error-codes)
 */
export function readParams<T extends z.ZodType>(schema: T, form: Record<string, FormValue>): z.output<T> {
  const read = schema.safeParse(form);
  if (read.success) return read.data;
  throw faultOf(worst(read.error.issues), form);
}

/** The issue to report: an unknown parameter before others, at any depth of a union. */
function worst(issues: readonly Issue[]): Issue {
  const flat = issues.flatMap((issue) => flatten(issue, []));
  return (flat.find(({ code }) => code === "unrecognized_keys") ?? flat[0]) as Issue;
}

function flatten(issue: Issue, above: PropertyKey[]): Issue[] {
  const path = [...above, ...issue.path];
  if (issue.code !== "invalid_union") return [{ ...issue, path } as Issue];
  const inner = issue.errors.map((branch) => branch.flatMap((each) => flatten(each as Issue, path)));
  // Only the branch of the right type says something about the value.
  const told = inner.filter((branch) => branch.every(({ code }) => code !== "invalid_value"));
  return (told.length > 0 ? told : inner).flat();
}

function faultOf(issue: Issue, form: Record<string, FormValue>): StripeFault {
  const param = nameOf(issue.path);
  const refuse = (code: string | undefined, message: string, name = param) =>
    new StripeFault(
      400,
      { type: "invalid_request_error", message, param: name, ...(code === undefined ? {} : { code }) },
      true,
    );
  if (issue.code === "unrecognized_keys") {
    const name = nameOf([...issue.path, issue.keys[0] ?? ""]);
    return refuse("parameter_unknown", `Received unknown parameter: ${name}`, name);
  }
  const value = issue.path.reduce<unknown>(
    (inner, part) => (inner as Record<PropertyKey, unknown> | undefined)?.[part],
    form,
  );
  if (value === undefined) return refuse("parameter_missing", `Missing required param: ${param}.`);
  if (value === "") {
    return refuse(
      "parameter_invalid_empty",
      `You passed an empty string for '${param}'. We assume empty values are an attempt to unset a parameter; however '${param}' cannot be unset.`,
    );
  }
  if (issue.message === "integer")
    return refuse("parameter_invalid_integer", `Invalid integer: ${String(value)}`);
  if (issue.code === "invalid_value") {
    return refuse(undefined, `Invalid ${param}: must be one of ${issue.values.map(String).join(", ")}`);
  }
  if (issue.code === "invalid_type")
    return refuse(undefined, `Invalid ${issue.expected}: ${JSON.stringify(value)}`);
  return refuse(undefined, `Invalid ${param}: ${issue.message}`);
}

function nameOf([first = "", ...rest]: readonly PropertyKey[]): string {
  return `${String(first)}${rest.map((part) => `[${String(part)}]`).join("")}`;
}
