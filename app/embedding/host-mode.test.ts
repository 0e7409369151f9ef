import { expect, test } from "vitest";
import { hostModeOf } from "./host-mode.ts";
import { codeIn, isRefusal, modeIn, reasonIn } from "./messages.ts";

test("how the host looks is read from its cookie, and nothing else is taken for it", () => {
  expect(["light", "dark"].map((mode) => hostModeOf(`a=b; host-mode=${mode}; c=d`))).toEqual([
    "light",
    "dark",
  ]);
  for (const cookies of [null, "", "host-mode=pink", "my-host-mode=dark", "host-mode=darker"])
    expect(hostModeOf(cookies), String(cookies)).toBeNull();
});

test("each message of the app's page is read as what it is, and others are none", () => {
  const mode = { type: "holdfast:mode", mode: "dark" };
  const refused = { type: "holdfast:refused", reason: "no" };
  expect([modeIn(mode), codeIn(mode), isRefusal(mode), reasonIn(mode)]).toEqual(["dark", null, false, null]);
  expect([modeIn(refused), codeIn(refused), isRefusal(refused), reasonIn(refused)]).toEqual([
    null,
    null,
    true,
    "no",
  ]);
  for (const other of [null, 7, "holdfast:mode", { type: "holdfast:mode" }, { ...mode, mode: "auto" }])
    expect(modeIn(other), String(other)).toBeNull();
});
