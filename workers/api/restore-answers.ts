import { z } from "zod";
import { placeRowAnswer } from "./wire-answers.ts";

/** Results of the calls about restores, for the OpenAPI document. Times are epoch ms, sizes bytes. */

const text = z.string();
const count = z.int().min(0);
const time = z.int();
const flag = z.boolean();
const cost = { calls: count, creations: count, bytes: count, durationMs: count };
const line = z.object({ what: text, reason: text });

/** The plan of a restore. */
export const planAnswer = z.object({
  itemId: text,
  snapshotId: text,
  creates: z.array(z.object({ kind: text, count, one: text, many: text })),
  isEstimate: flag,
  changed: z.array(line),
  impossible: z.array(line),
  missing: z.array(line),
  cost: z.object(cost),
  slower: z.object({ reason: text, ...cost }).nullable(),
  pausedUntil: time.nullable(),
});

/** Possible targets of a restore. */
export const targetsAnswer = z.object({
  items: z.array(z.object({ externalId: text, name: text, fullName: text, isSource: flag })),
  hasMore: flag,
  places: z.array(placeRowAnswer.shape.view),
});

const asked = { name: text, label: text, help: text };
const thing = z.object({ id: text, label: text, note: text.optional() });

/** The questions of a restore. */
export const questionsAnswer = z.object({
  questions: z.array(
    z.discriminatedUnion("type", [
      z.object({ type: z.literal("switch"), ...asked, default: flag }),
      z.object({
        type: z.literal("choice"),
        ...asked,
        options: z.array(z.object({ value: text, label: text, help: text.optional() })),
        default: text.nullable(),
      }),
      z.object({ type: z.literal("text"), ...asked, maxLength: count, default: text }),
      z.object({
        type: z.literal("matching"),
        ...asked,
        things: z.object({ one: text, many: text }),
        left: z.array(thing.extend({ count: count.optional() })),
        right: z.array(thing),
        counted: z.object({ one: text, many: text, isEstimate: flag }).optional(),
        default: z.record(text, text.nullable()),
        suggested: z.array(text),
        isRequired: flag,
      }),
    ]),
  ),
});
