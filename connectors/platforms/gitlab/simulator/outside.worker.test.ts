import { expect, onTestFinished, test } from "vitest";
import { openGitlab } from "#tests/harness/outside.ts";

test("a test in workerd has its own GitLab, with projects on request and a request log", async () => {
  const gitlab = await openGitlab();
  onTestFinished(() => gitlab.close());
  const { token } = await gitlab.control<{ token: string }>("token", { login: "nora-lindqvist" });
  const { id } = await gitlab.control<{ id: number }>("projects", { path: "meridian-freight/docks/quay" });
  await gitlab.control(`projects/${id}/generate`, { issues: 3, notes: 1 });
  await gitlab.fault({ match: { path: "/issues" }, action: { kind: "answer", status: 502 } });
  const headers = { Authorization: `Bearer ${token}` };
  const ask = () => fetch(`${gitlab.url}/api/v4/projects/${id}/issues`, { headers });
  const broken = await ask();
  await broken.body?.cancel();
  expect(broken.status).toBe(502);
  expect(await (await ask()).json()).toHaveLength(3);
  expect((await gitlab.requests()).map(({ status }) => status)).toEqual([502, 200]);
  await gitlab.forgetRequests();
  await gitlab.clearFaults();
  expect(await gitlab.refusals()).toEqual([]);
});
