import { expect, test } from "vitest";
import { simulatedVars } from "./simulated-vars.ts";

const OUTSIDE = {
  mailUrl: "http://127.0.0.1:8789",
  services: {
    github: { GITHUB_WEB_URL: "http://127.0.0.1:8788", GITHUB_CLIENT_SECRET: "simulated" },
    google: { GOOGLE_ISSUER: "http://127.0.0.1:8790/google" },
    googleDrive: { GOOGLE_DRIVE_WEB_URL: "http://127.0.0.1:8796" },
  },
};

test("by default everything is simulated", () => {
  expect(simulatedVars(OUTSIDE, new Set(["MASTER_KEYS", "MAIL_TOKEN"]))).toEqual({
    MAIL_URL: OUTSIDE.mailUrl,
    ...OUTSIDE.services.github,
    ...OUTSIDE.services.google,
    ...OUTSIDE.services.googleDrive,
  });
});

test("a partly configured service is the real one, and similarly named ones stay simulated", () => {
  const vars = simulatedVars(OUTSIDE, new Set(["GITHUB_CLIENT_SECRET", "GOOGLE_DRIVE_WEB_URL", "MAIL_URL"]));
  expect(vars).toEqual(OUTSIDE.services.google);
});
