import fc from "fast-check";
import { expect, test } from "vitest";
import type { EntryRole } from "#connectors/contract/entry-role.ts";
import type { ManifestDifference, ManifestEntry } from "#core/vault/index.ts";
import { changeOfPart, type PartChange, statesBack, statesOnward } from "./part-states.ts";

/** Content of a part in each version, oldest first; null = the version does not have it. */
const histories = fc.array(fc.option(fc.integer({ min: 0, max: 2 })), { minLength: 1, maxLength: 12 });

function changeTo(old: number | null, young: number | null): PartChange {
  if (old === null) return young === null ? "none" : "appeared";
  if (young === null) return "vanished";
  return old === young ? "none" : "changed";
}

test("the states before and after an open version follow from what changed between versions", () => {
  fc.assert(
    fc.property(histories, fc.nat(), (contents, seed) => {
      const withPart = contents.flatMap((content, at) => (content === null ? [] : [at]));
      if (withPart.length === 0) return;
      const openAt = withPart[seed % withPart.length]!;
      const expected = contents.map((content, at) => {
        if (content === null) return "absent";
        return at > 0 && contents[at - 1] === content ? "same" : "changed";
      });
      const changes = contents.map((content, at) => (at === 0 ? null : changeTo(contents[at - 1]!, content)));
      expect(statesBack(changes.slice(0, openAt + 1).reverse())).toEqual(
        expected.slice(0, openAt + 1).reverse(),
      );
      expect(statesOnward(changes.slice(openAt + 1) as PartChange[])).toEqual(expected.slice(openAt + 1));
    }),
  );
});

const entry = (path: string) => ({ path, kind: "any" }) as ManifestEntry;
const roles: Record<string, EntryRole> = {
  "cards/1.json": { role: "part", id: "1" },
  "cards/2.json": { role: "part", id: "2" },
  "notes/1.json": { role: "comment", partId: "1" },
  "lists/1.json": { role: "column", id: "1" },
};
async function changeIn(...differences: Omit<ManifestDifference, "path">[]): Promise<PartChange> {
  async function* list() {
    for (const each of differences) yield { path: (each.after ?? each.before)!.path, ...each };
  }
  return await changeOfPart(list(), "1", ({ path }) => roles[path] ?? null);
}

test("a part changes with its own entry and with those that belong to it, and not with others", async () => {
  const [own, note] = [entry("cards/1.json"), entry("notes/1.json")];
  expect(await changeIn({ before: own, after: own })).toBe("changed");
  expect(await changeIn({ after: note })).toBe("changed");
  expect(await changeIn({ before: note })).toBe("changed");
  expect(await changeIn({ after: own }, { after: note })).toBe("appeared");
  expect(await changeIn({ before: note }, { before: own })).toBe("vanished");
  const others = ["cards/2.json", "lists/1.json", "settings.json"].map(entry);
  expect(await changeIn(...others.map((each) => ({ before: each, after: each })))).toBe("none");
});
