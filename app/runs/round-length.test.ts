import { expect, test } from "vitest";
import { descriptors } from "#connectors/registry/descriptors.generated.ts";
import { roundLengthMs, roundText } from "./round-length.ts";

const HOUR_MS = 3_600_000;
const rounds = {
  ...{ requests: 1_000, perMs: HOUR_MS },
  kinds: { box: { changes: 2, whole: 16, wholeDays: 7 }, note: { changes: 1, whole: 1, wholeDays: 1 } },
};

test("a round takes as long as the quota lets its requests through, with a share of what is read once a week", () => {
  // Six days of 2 requests and one of 16 are 4 a day.
  expect(roundLengthMs({ rounds }, [{ kind: "box", count: 1_000 }])).toBe(4 * HOUR_MS);
  expect(roundLengthMs({ rounds }, [{ kind: "note", count: 500 }])).toBe(HOUR_MS / 2);
  const both = [
    { kind: "box", count: 1_000 },
    { kind: "note", count: 500 },
    { kind: "stranger", count: 9 },
  ];
  expect(roundLengthMs({ rounds }, both)).toBe(4.5 * HOUR_MS);
});

test("without a quota that binds, or without items, there is no length to tell", () => {
  expect(roundLengthMs({}, [{ kind: "box", count: 1_000 }])).toBeNull();
  expect(roundLengthMs({ rounds }, [])).toBeNull();
  expect(roundLengthMs({ rounds }, [{ kind: "box", count: 0 }])).toBeNull();
  expect(roundLengthMs({ rounds }, [{ kind: "stranger", count: 9 }])).toBeNull();
});

test("an account of 10,000 repositories is told how many hours its round takes, and a small one nothing", () => {
  const descriptor = descriptors.find(({ id }) => id === "github");
  if (descriptor === undefined) throw new Error("GitHub is not registered");
  const many = [
    { kind: "repository", count: 6_000 },
    { kind: "repository", count: 4_000 },
    { kind: "gist", count: 1 },
  ];
  expect(roundText(descriptor, many)).toBe(
    "A round of 10,000\u00a0repositories and 1\u00a0gist takes about 7 hours at the least",
  );
  expect(roundText(descriptor, [{ kind: "repository", count: 12 }])).toBeNull();
});

test("every platform that tells the cost of a round tells it for each of its kinds", () => {
  for (const { id, itemKinds, rounds: cost } of descriptors) {
    if (cost === undefined) continue;
    expect(Object.keys(cost.kinds).sort(), id).toEqual(itemKinds.map((kind) => kind.id).sort());
  }
});
