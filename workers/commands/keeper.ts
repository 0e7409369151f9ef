/**
 * Runs a program for as long as somebody holds the other end of our input; `startService` starts it as the head of a
 * process group. Who started us may be killed without a word, and must not leave a database open behind them: then
 * our input ends, and the whole group ends with it. It ends with the program, too.
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

// Signals go to the whole group; the keeper is the last to leave.
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => {});

process.stdin.once("close", () => {
  endGroup("SIGTERM");
  setTimeout(() => endGroup("SIGKILL"), 8_000);
});
process.stdin.resume();

function endGroup(signal: NodeJS.Signals): void {
  process.kill(-process.pid, signal);
}
