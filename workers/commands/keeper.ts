/**
 * Runs a program for as long as our stdin stays open. `startService` starts this keeper as the leader of a process
 * group. When the parent is killed, our stdin closes and the whole group is ended, so that no process keeps a database
 * open. The group also ends when the program exits.
 */
import { spawn } from "node:child_process";

const [name = "", ...args] = process.argv.slice(2);
const child = spawn(name, args, { stdio: ["ignore", "inherit", "inherit"] });

child.once("error", (cause) => {
  console.error(cause.message);
  process.exit(127);
});
child.once("close", (code) => {
  endGroup("SIGTERM");
  process.exit(code ?? 1);
});

// Signals go to the whole group. The keeper ignores them, so that it exits last.
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => {});

process.stdin.once("close", () => {
  endGroup("SIGTERM");
  setTimeout(() => endGroup("SIGKILL"), 8_000);
});
process.stdin.resume();

function endGroup(signal: NodeJS.Signals): void {
  process.kill(-process.pid, signal);
}
