import { exports } from "cloudflare:workers";
import { expect, test, vi } from "vitest";
import { logger } from "#core/kernel/logger.ts";

test("a log line tells what happened and no secret, whether by its field or by its look", async () => {
  await exports.default.fetch("http://localhost:8787/auth/login");
  const written: string[] = [];
  const spy = vi.spyOn(console, "warn").mockImplementation((...parts) => void written.push(parts.join(" ")));
  logger("test").warn("Run {runId} was refused: {answer}", {
    runId: "run_1",
    answer: "bad credentials ghu_abcdefghijklmnop at https://x-access-token:hunter2hunter2@example.com/a.git",
    accessToken: "canary-by-name",
  });
  spy.mockRestore();
  const line = written.join("\n");
  expect(line).toContain("run_1");
  for (const secret of ["ghu_abcdefgh", "hunter2", "canary-by-name"]) expect(line).not.toContain(secret);
});
