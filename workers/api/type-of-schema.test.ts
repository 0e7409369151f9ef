import { expect, test } from "vitest";
import { z } from "zod";
import { type JsonSchema, typeOfSchema } from "./type-of-schema.ts";

const typeOf = (schema: z.ZodType, io: "input" | "output" = "output") =>
  typeOfSchema(z.toJSONSchema(schema, { io, unrepresentable: "any" }) as JsonSchema);

test("plain values, constants and lists have their types", () => {
  expect(typeOf(z.string().max(5))).toBe("string");
  expect(typeOf(z.int().min(0))).toBe("number");
  expect(typeOf(z.enum(["a", "b"]))).toBe('"a" | "b"');
  expect(typeOf(z.literal("a").nullable())).toBe('"a" | null');
  expect(typeOf(z.array(z.union([z.string(), z.number()])))).toBe("(string | number)[]");
});

test("an object's members are optional when the schema does not require them", () => {
  expect(typeOf(z.object({ a: z.string(), b: z.boolean().optional() }))).toBe(
    '{ "a": string; "b"?: boolean | undefined; }',
  );
  expect(typeOf(z.object({ page: z.number().default(0) }), "input")).toBe('{ "page"?: number | undefined; }');
});

test("records and open objects allow further members", () => {
  expect(typeOf(z.record(z.string(), z.number()))).toBe("Record<string, number>");
  expect(typeOf(z.looseObject({ a: z.string() }))).toBe('{ "a": string; } & Record<string, unknown>');
});

test("what a schema leaves open is any JSON", () => {
  expect(typeOf(z.object({ facts: z.record(z.string(), z.unknown()) }))).toBe(
    '{ "facts": Record<string, Json>; }',
  );
});

test("the type of a transformed field is what the caller sends", () => {
  const digits = z.union([z.number(), z.string()]).transform(Number);
  expect(typeOf(z.object({ page: digits }), "input")).toBe('{ "page": number | string; }');
});

test("a schema that refers to itself is refused", () => {
  expect(() => typeOfSchema({ $ref: "#" })).toThrow("refers to #");
});
