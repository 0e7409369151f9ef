import { expect, test } from "vitest";
import { renderScreen, textOf } from "#tests/harness/render-screen.tsx";
import { VersionAges } from "./version-ages.tsx";

test("a version names what its platform gives no date of, and since when it is not older", () => {
  const notBefore = Date.UTC(2026, 10, 24, 23);
  const undated = [{ what: "Projects and settings", mostDays: 7, notBefore }];
  const page = (timeZone: string) =>
    textOf(renderScreen(<VersionAges undated={undated} timeZone={timeZone} />));
  expect(page("UTC")).toBe(
    "Projects and settings are as of 24 Nov 2026 or later: the platform does not say when they change, so they are read at least every 7 days.",
  );
  expect(page("Europe/Berlin")).toContain("are as of 25 Nov 2026 or later: ");
});

test("a version that holds nothing older than itself says nothing", () => {
  expect(textOf(renderScreen(<VersionAges undated={[]} timeZone="UTC" />))).toBe("");
});
