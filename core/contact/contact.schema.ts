import * as z from "zod/mini";
import { emailSchema } from "#core/accounts/password.schema.ts";
import { holdsUnseen } from "#core/kernel/name-rules.ts";

/** A name or company: spec B-216 with the shared minimum of 2 (spec/README A-308), B-217. */
const shortText = z.string({ error: "required" }).check(
  z.trim(),
  z.minLength(1, "required"),
  z.minLength(2, "Min length is 2"),
  z.maxLength(50, "max_length50"),
  z.refine((text) => !holdsUnseen(text), "holds characters that are not allowed"),
);

/** The body of the contact form (spec B-100 to B-104, B-213 to B-223). Line breaks in the question are kept. */
export const contactSchema = z.strictObject({
  firstName: shortText,
  lastName: shortText,
  company: shortText,
  email: emailSchema,
  question: z.string({ error: "required" }).check(
    z.trim(),
    z.minLength(1, "required"),
    z.minLength(2, "Min length is 2"),
    z.maxLength(1000, "max_length1000"),
    z.refine((text) => !/(?![\n\r\t])\p{Cc}|\p{Cs}/u.test(text), "holds characters that are not allowed"),
  ),
});
export type ContactOrder = z.output<typeof contactSchema>;
