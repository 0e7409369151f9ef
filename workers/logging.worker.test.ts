import { exports } from "cloudflare:workers";
import { expect, test, vi } from "vitest";
import { logger } from "#core/kernel/logger.ts";

test("a log line has the event and no secret, detected by field name or format", async () => {
  await exports.default.fetch("http://localhost:8787/auth/login");
  const written: string[] = [];
  const spy = vi.spyOn(console, "warn").mockImplementation((...parts) => void written.push(parts.join(" ")));
  logger("test").warn("Run {runId} was refused: {answer}", {
    runId: "run_1",
    answer: "bad credentials ghu_abcdefghijklmnop at https://x-access-token:hunter2hunter2@example.com/a.git",
    error: new Error(
      "cannot read https://app.example.test/download/eyJ2.canary-a /clone/eyJ2%2Ecanary-b/x and /invite?email=a%40b.example&code=canary-c&x=1",
    ),
    accessToken: "canary-by-name",
  });
  spy.mockRestore();
  const line = written.join("\n");
  expect(line).toContain("run_1");
  for (const secret of ["ghu_abcdefgh", "hunter2", "canary-"]) expect(line).not.toContain(secret);
});

test("a refusal is logged with its error code", async () => {
  const written: string[] = [];
  const spies = (["info", "error"] as const).map((level) =>
    vi.spyOn(console, level).mockImplementation((...parts) => void written.push(parts.join(" "))),
  );
  const answer = await exports.default.fetch("http://localhost:8787/api/user/get-user-start-info");
  for (const spy of spies) spy.mockRestore();
  expect(answer.status).toBe(423);
  const line = written.map((text) => JSON.parse(text)).find(({ message }) => message.includes("was refused"));
  const { code } = await answer.json<{ code: string }>();
  expect(line.message).toContain(`was refused with "${code}"`);
  expect(line.properties).toMatchObject({
    errorCode: code,
    requestId: answer.headers.get("X-Request-Id"),
    path: "/api/user/get-user-start-info",
  });
});
