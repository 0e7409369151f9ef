import { expect, test } from "vitest";
import {
  isSame,
  preferencesOf,
  type ReportPreferences,
  toWire,
  withBox,
  withFrequency,
} from "./report-preferences.ts";

const nothing: ReportPreferences = { frequency: null, type: null, day: null };

test("[A-259] daily sets an unset type to all and keeps a set one", () => {
  expect(withFrequency(nothing, "daily")).toEqual({ frequency: "daily", type: "all", day: null });
  expect(withFrequency({ ...nothing, type: "failed" }, "daily").type).toBe("failed");
});

test("[A-260] weekly sets an unset day to monday and keeps a set one", () => {
  expect(withFrequency(nothing, "weekly")).toEqual({ frequency: "weekly", type: null, day: "monday" });
  expect(withFrequency({ ...nothing, day: "friday" }, "weekly").day).toBe("friday");
});

test("[A-261] unticking one of both boxes leaves the other", () => {
  expect(withBox("all", "failed", false)).toBe("succeeded");
  expect(withBox("all", "succeeded", false)).toBe("failed");
});

test("[A-262] ticking a box without a previous one selects it", () => {
  expect(withBox(null, "succeeded", true)).toBe("succeeded");
  expect(withBox(null, "failed", true)).toBe("failed");
});

test("[A-263] ticking a ticked box changes nothing", () => {
  expect(withBox("succeeded", "succeeded", true)).toBe("succeeded");
  expect(withBox("failed", "failed", true)).toBe("failed");
});

test("[A-264] ticking the other box selects all", () => {
  expect(withBox("succeeded", "failed", true)).toBe("all");
  expect(withBox("failed", "succeeded", true)).toBe("all");
});

test("unticking the only box leaves none", () => {
  expect(withBox("failed", "failed", false)).toBeNull();
  expect(withBox(null, "failed", false)).toBeNull();
});

test("[A-397] a day is sent only with weekly, and a leftover day of a daily report is no change", () => {
  const weekly = preferencesOf({ frequency: "weekly", report_type: "all", report_day: "sunday" });
  expect(toWire(weekly, true)).toEqual({
    is_active: true,
    frequency: "weekly",
    report_type: "all",
    report_day: "sunday",
  });
  const daily = withFrequency(weekly, "daily");
  expect(toWire(daily, false)).toEqual({ is_active: false, frequency: "daily", report_type: "all" });
  expect(isSame(daily, preferencesOf({ frequency: "daily", report_type: "all", report_day: "friday" }))).toBe(
    true,
  );
  expect(isSame(daily, weekly)).toBe(false);
});
