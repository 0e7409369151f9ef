import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { takenPorts } from "./ports.ts";
import { runTool, startService } from "./tools.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "tools-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** The first line of a service's output, as a number. */
async function firstNumber(service: ReturnType<typeof startService>): Promise<number> {
  for await (const chunk of service.stdout) return Number(String(chunk).trim());
  throw new Error("the service said nothing");
}

test("stopping a service also ends the programs that it started", async () => {
  const logFile = path.join(folder, "family.log");
  const service = startService("sh", ["-c", "sleep 300 & echo $!; wait"], { logFile });
  const grandchild = await firstNumber(service);
  expect(isAlive(grandchild)).toBe(true);
  await service.stop();
  expect(isAlive(grandchild)).toBe(false);
  await service.ended;
});

test("a service and its programs end when their parent is killed", async () => {
  const tools = JSON.stringify(path.resolve(import.meta.dirname, "tools.ts"));
  const logFile = JSON.stringify(path.join(folder, "orphan.log"));
  const source = `import { startService } from ${tools};
    const service = startService("sh", ["-c", "sleep 300 & echo $!; wait"], { logFile: ${logFile} });
    service.stdout.pipe(process.stdout);`;
  const starter = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", source]);
  const [said] = await once(starter.stdout, "data");
  const grandchild = Number(String(said).trim());
  expect(isAlive(grandchild)).toBe(true);
  starter.kill("SIGKILL");
  await expect.poll(() => isAlive(grandchild), { timeout: 30_000 }).toBe(false);
});

test("a tool ends with its parent", async () => {
  const tools = JSON.stringify(path.resolve(import.meta.dirname, "tools.ts"));
  const source = `import { runTool } from ${tools};
    process.once("SIGTERM", () => process.exit(0));
    void runTool("sh", ["-c", "echo $$; exec sleep 300"], { echo: true });`;
  const runner = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", source]);
  const [said] = await once(runner.stdout, "data");
  const tool = Number(String(said).trim());
  expect(isAlive(tool)).toBe(true);
  runner.kill("SIGTERM");
  await expect.poll(() => isAlive(tool), { timeout: 30_000 }).toBe(false);
});

test("stopping an ended service is no error, and its last output is kept", async () => {
  const logFile = path.join(folder, "brief.log");
  const service = startService("sh", ["-c", "echo goodbye >&2; exit 3"], { logFile });
  expect(await service.ended).toBe(3);
  await service.stop();
  expect(service.lastWords()).toBe("goodbye");
  expect(await readFile(logFile, "utf8")).toBe("goodbye\n");
});

test("a missing program is a result, not a crash", async () => {
  const { code, output } = await runTool("holdfast-no-such-program", []);
  expect(code).toBe(127);
  expect(output).toContain("could not be started");
  const service = startService("holdfast-no-such-program", [], { logFile: path.join(folder, "none.log") });
  expect(await service.ended).toBe(127);
  await service.stop();
});

test("a port in use gets a message, a free one none", async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  expect(await takenPorts([{ port, what: "Holdfast" }])).toEqual([`Port ${port} (Holdfast) is in use.`]);
  await new Promise((resolve) => server.close(resolve));
  expect(await takenPorts([{ port, what: "Holdfast" }])).toEqual([]);
});
