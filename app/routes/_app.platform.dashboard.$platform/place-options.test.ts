import { expect, test } from "vitest";
import type { PlatformDescriptor } from "#connectors/contract/descriptor.ts";
import { keptAddress, kindChoiceKey } from "./kind-choice.ts";
import { parseListQuery } from "./list-query.ts";
import { chosenOption, placeOptions } from "./place-options.ts";

const itemKinds = [
  { id: "repository", one: "repository", many: "repositories", isSub: false },
  { id: "gist", one: "gist", many: "gists", isSub: true },
];
const descriptor = { itemKinds } as unknown as PlatformDescriptor;
const placeOf = (id: string, name: string) => ({
  id,
  connectionId: "con_1",
  externalId: id,
  name,
  type: "User",
  isOwn: true,
  facts: {},
});
const places = [placeOf("plc_1", "nora"), placeOf("plc_2", "meridian")];
const holdings = [
  { kind: "repository", placeId: "plc_1", count: 3 },
  { kind: "repository", placeId: "plc_2", count: 6 },
  { kind: "gist", placeId: null, count: 2 },
];
const labels = (options: { name: string; many: string }[]) =>
  options.map(({ name, many }) => `${name} ${many}`);

test("[P-046] [P-047] the selector offers repositories of every place, and the user's gists", () => {
  const options = placeOptions(descriptor, places, "nora", holdings);
  expect(labels(options)).toEqual(["nora repositories", "meridian repositories", "nora gists"]);
  expect(options.map(({ count }) => count)).toEqual([3, 6, 2]);
  expect(options[1]?.change).toEqual({ kind: "repository", placeId: "plc_2", name: "" });
  const known = { connectionId: null, kinds: itemKinds, placeIds: places.map(({ id }) => id) };
  const chosen = (search: string) =>
    chosenOption(parseListQuery(new URLSearchParams(search), known), options);
  expect(chosen("kind=gist")?.value).toBe("gist");
  expect(chosen("place=plc_2")?.value).toBe("plc_2");
  expect(chosen("")?.value).toBe("plc_1");
});

test("a platform without places offers its kinds, and one with a single kind nothing", () => {
  expect(labels(placeOptions(descriptor, [], "nora", []))).toEqual(["nora repositories", "nora gists"]);
  const single = { itemKinds: itemKinds.slice(0, 1) } as unknown as PlatformDescriptor;
  expect(placeOptions(single, [], "nora", [])).toEqual([]);
  expect(placeOptions(single, places, "nora", [])).toHaveLength(2);
});

test("the stored choice is used if the URL names none, and an id without a choice opens the plain list", () => {
  const kinds = ["project", "snippet"];
  const become = (search: string, kept: string | null) =>
    keptAddress(new URLSearchParams(search), kept, kinds)?.toString() ?? null;
  expect(kindChoiceKey("forge")).toBe("forgeType");
  expect(become("", "snippet")).toBe("kind=snippet");
  expect(become("q=a", "snippet")).toBe("q=a&kind=snippet");
  expect(become("", "project")).toBeNull();
  expect(become("", null)).toBeNull();
  expect(become("kind=project", "snippet")).toBeNull();
  expect(become("id=snippet", "project")).toBeNull();
  expect(become("id=snippet", null)).toBe("");
  expect(become("id=snippet", "nonsense")).toBe("");
});
