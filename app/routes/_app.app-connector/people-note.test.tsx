import { expect, test } from "vitest";
import { descriptors } from "#connectors/registry/descriptors.generated.ts";
import { renderScreen, textOf } from "#tests/harness/render-screen.tsx";
import { PeopleNote } from "./people-note.tsx";

const { id, label, authMethods = [] } = descriptors.find((each) => (each.authMethods?.length ?? 0) > 1)!;
const PROBLEM = "The access lacks a permission.";
const draw = (isOwner: boolean, problem: string | null) =>
  textOf(renderScreen(<PeopleNote app={{ id, label, isOwner }} problem={problem} />));

test("an access that cannot report people says what follows, and the owner which access changes it", () => {
  const text = draw(true, PROBLEM);
  expect(text).toContain(`We could not report to ${label} whose names the backups hold.`);
  expect(text).toContain(PROBLEM);
  expect(text).toContain(`Grant or renew “${authMethods[0]?.label}” above`);
  expect(draw(false, PROBLEM)).toContain("Only the owner of the organisation can change that.");
  expect(draw(false, PROBLEM)).not.toContain("renew");
  expect(draw(true, null)).toBe("");
});
