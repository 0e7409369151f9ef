import fc from "fast-check";
import { expect, test } from "vitest";
import { changeOfSpans, type ObjectSpan, objectsBySeq } from "./object-spans.ts";

const object = fc.constantFrom("a", "b", "c", "d");
/** Manifests with numbers from 2 to 20, some missing. */
const manifests = fc.uniqueArray(
  fc.record({
    seq: fc.integer({ min: 2, max: 20 }),
    objects: fc.uniqueArray(object).map((all) => all.sort()),
  }),
  { selector: ({ seq }) => seq, minLength: 1, maxLength: 8 },
);

const apply = (spans: readonly ObjectSpan[], { gone, come }: ReturnType<typeof changeOfSpans>) => [
  ...spans.filter((span) => !gone.includes(span)),
  ...come,
];
const byNumber = (lists: readonly { seq: number; objects: string[] }[]) =>
  new Map(lists.map(({ seq, objects }) => [seq, objects] as const));
const listsOf = (seqs: readonly number[], spans: readonly ObjectSpan[]) =>
  new Map([...objectsBySeq(seqs, spans)].map(([seq, objects]) => [seq, objects.toSorted()]));
const ascending = (lists: readonly { seq: number }[]) =>
  lists.map(({ seq }) => seq).sort((one, other) => one - other);

test("spans give every manifest exactly its objects, and changing them keeps what is right", () => {
  fc.assert(
    fc.property(manifests, fc.array(fc.uniqueArray(object), { maxLength: 8 }), (before, others) => {
      const spans = apply([], changeOfSpans([], before));
      expect(listsOf(ascending(before), spans)).toEqual(byNumber(before));
      expect(changeOfSpans(spans, before)).toEqual({ gone: [], come: [] });

      // Some manifests are deleted, some get other objects.
      const after = before.slice(0, Math.ceil(before.length / 2)).map((one, at) => ({
        ...one,
        objects: (others[at] ?? one.objects).toSorted(),
      }));
      const changed = apply(spans, changeOfSpans(spans, after));
      expect(listsOf(ascending(after), changed)).toEqual(byNumber(after));
      const keys = changed.map(({ objectId, fromSeq }) => `${objectId} ${fromSeq}`);
      expect(new Set(keys).size).toBe(keys.length);
    }),
    { numRuns: 2_000 },
  );
});

test("a span is open when the newest manifest needs the object, and ends before the first that does not", () => {
  const lists = [
    { seq: 3, objects: ["a", "b"] },
    { seq: 5, objects: ["a"] },
    { seq: 9, objects: ["a", "b"] },
  ];
  expect(changeOfSpans([], lists).come).toEqual([
    { objectId: "a", fromSeq: 3, toSeq: null },
    { objectId: "b", fromSeq: 3, toSeq: 3 },
    { objectId: "b", fromSeq: 9, toSeq: null },
  ]);
  // The span is wider than the manifests that are left in it, and stays.
  const wide = { objectId: "b", fromSeq: 1, toSeq: 4 };
  expect(changeOfSpans([wide], [lists[0]!, lists[1]!])).toEqual({
    gone: [],
    come: [{ objectId: "a", fromSeq: 3, toSeq: null }],
  });
});
