import fc from "fast-check";
import { expect, test } from "vitest";
import { projectPath, safeProjectName } from "./restore-name.ts";

test("a valid name is unchanged, and an invalid one becomes the nearest valid one", () => {
  expect(safeProjectName("Billing Service_restored")).toBe("Billing Service_restored");
  expect(safeProjectName("  -crane/yard: plans?")).toBe("crane-yard- plans-");
  expect(safeProjectName("///")).toBe("restored");
});

test("the path of any name is valid at GitLab", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (name) => {
      const path = projectPath(safeProjectName(name));
      expect(path).toMatch(/^[A-Za-z0-9]+([_.-][A-Za-z0-9]+)*$/);
      expect(path).not.toMatch(/\.(git|atom)$/);
    }),
  );
});
