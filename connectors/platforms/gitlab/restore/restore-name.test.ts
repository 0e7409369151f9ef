import fc from "fast-check";
import { expect, test } from "vitest";
import { projectPath, safeProjectName } from "./restore-name.ts";

test("a name stays as it is where GitLab takes it, and comes as near as possible elsewhere", () => {
  expect(safeProjectName("Billing Service_restored")).toBe("Billing Service_restored");
  expect(safeProjectName("  -crane/yard: plans?")).toBe("crane-yard- plans-");
  expect(safeProjectName("///")).toBe("restored");
});

test("whatever the name, its path is one that GitLab takes", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (name) => {
      const path = projectPath(safeProjectName(name));
      expect(path).toMatch(/^[A-Za-z0-9]+([_.-][A-Za-z0-9]+)*$/);
      expect(path).not.toMatch(/\.(git|atom)$/);
    }),
  );
});
