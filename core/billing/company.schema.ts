import { z } from "zod";
import { holdsUnseen } from "#core/kernel/name-rules.ts";

const line = (maxLength: number) =>
  z
    .string({ error: "This field is required" })
    .trim()
    .max(maxLength, `Max length is ${maxLength}`)
    .refine((text) => !holdsUnseen(text), "This field holds characters that are not allowed");
const requiredLine = (maxLength: number) => line(maxLength).min(1, "This field is required");

/**
 * The recipient of an invoice (spec part 3 section 5). All fields but `line2` and `state` are required; `tax_details`
 * is sent only when filled. The form requires a state in countries for which it lists states; elsewhere an address may
 * have none.
 */
export const companySchema = z.strictObject({
  name: requiredLine(100),
  /** ISO 3166-1 alpha-2. */
  country: z.string({ error: "This field is required" }).regex(/^[A-Z]{2}$/, "Choose a country"),
  state: line(100).optional(),
  city: requiredLine(100),
  line1: requiredLine(200),
  line2: line(200).optional(),
  postal_code: requiredLine(20),
  tax_details: z
    .strictObject({ type: z.string().regex(/^[a-z]{2}_[a-z0-9_]{2,20}$/), value: requiredLine(50) })
    .optional(),
});
