import { expect, test } from "vitest";
import { greetingOf } from "./greeting.ts";

const STARTED = { appUrl: "http://localhost:8787", logs: ".demo/logs/" };

test("the greeting lists only what is simulated, and a login only if there is one", () => {
  const simulated = {
    MAIL_URL: "http://127.0.0.1:8789",
    GOOGLE_DRIVE_WEB_URL: "http://127.0.0.1:8796",
    STRIPE_API_URL: "http://127.0.0.1:8797",
  };
  const seeded = greetingOf({ ...STARTED, simulated, isSeeded: true });
  expect(seeded).toContain("Sign in as:              nora@meridian.example   password: ");
  expect(seeded).toContain("Mail inbox:              http://127.0.0.1:8789\n");
  expect(seeded).toContain("Simulated Google Drive:  http://127.0.0.1:8796\n");
  expect(seeded).toContain("Simulated Stripe:        http://127.0.0.1:8797\n");
  expect(seeded).not.toContain("Simulated GitHub:");
  const real = greetingOf({ ...STARTED, simulated: {}, isSeeded: false });
  expect(real).not.toMatch(/Sign in as|Mail inbox|undefined/);
});
