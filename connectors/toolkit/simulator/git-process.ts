import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, openSync, readSync, writeSync } from "node:fs";
import { createConnection } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, type Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { type GitOrder, readFrame, readFrames, untilFree, writeFrame } from "./git-frames.ts";

/** A running git process and its streams. */
export type GitProcess = {
  stdin: Writable;
  stdout: Readable;
  /** Resolves when the process has ended and all its output has been read. */
  ended: Promise<{ code: number | null; complaint: string }>;
  kill: () => void;
};

type Launcher = { folder: string; calls: number; answers: number };
let launcher: Launcher | null = null;

/** Runs git and waits for it, like `spawnSync`. */
export function runGitProcess(order: GitOrder, input: Uint8Array = new Uint8Array()) {
  launcher ??= startLauncher();
  const { calls, answers } = launcher;
  const send = (bytes: Uint8Array) => {
    for (let at = 0; at < bytes.length; ) at += writeSync(calls, bytes, at);
    return true;
  };
  writeFrame({ write: send }, { type: "order", bytes: Buffer.from(JSON.stringify(order)) });
  writeFrame({ write: send }, { type: "in", bytes: input });
  const take = (length: number) => takeBytes(answers, length);
  const stdout = Buffer.from(readFrame(take).bytes);
  const stderr = Buffer.from(readFrame(take).bytes);
  const status = JSON.parse(Buffer.from(readFrame(take).bytes).toString()) as number | null;
  return { status, stdout, stderr };
}

/** Starts git with streams, like `spawn`. */
export function startGitProcess(order: GitOrder): GitProcess {
  launcher ??= startLauncher();
  const socket = createConnection(join(launcher.folder, "streams"));
  // A broken connection ends the frames, and with them the process.
  socket.on("error", () => undefined);
  writeFrame(socket, { type: "order", bytes: Buffer.from(JSON.stringify(order)) });
  const stdin = new Writable({
    write: (bytes: Uint8Array, _encoding, done) => {
      if (socket.destroyed || writeFrame(socket, { type: "in", bytes })) return done();
      void untilFree(socket).then(() => done());
    },
    final: (done) => void socket.end(done),
  });
  const stdout = new PassThrough();
  const complaints: Uint8Array[] = [];
  const follow = async () => {
    let code: number | null = null;
    for await (const { type, bytes } of readFrames(socket)) {
      if (type === "error") complaints.push(bytes);
      else if (type === "end") code = JSON.parse(Buffer.from(bytes).toString());
      else if (!stdout.write(bytes)) await untilFree(stdout);
    }
    return code;
  };
  const ended = follow()
    .catch(() => null)
    .then((code) => {
      stdout.end();
      return { code, complaint: Buffer.concat(complaints).toString() };
    });
  return { stdin, stdout, ended, kill: () => void socket.destroy() };
}

/** Starts the launcher process. It exits with this process, because its FIFO of calls closes. */
function startLauncher(): Launcher {
  const folder = mkdtempSync(join(tmpdir(), "holdfast-launcher-"));
  execFileSync("mkfifo", [join(folder, "calls"), join(folder, "answers")]);
  const script = fileURLToPath(new URL("./git-launcher.ts", import.meta.url));
  // Each git copies the launcher's page tables, so a smaller process starts it sooner. Older versions of Node need tsx.
  const loader = process.features.typescript ? [] : ["--import", "tsx"];
  const child = spawn(process.execPath, [...loader, script, folder], {
    stdio: ["ignore", "ignore", "inherit"],
    detached: true,
  });
  child.unref();
  // Each open blocks until the other side opens the FIFO too; the launcher listens on its socket before that.
  return {
    folder,
    calls: openSync(join(folder, "calls"), "w"),
    answers: openSync(join(folder, "answers"), "r"),
  };
}

function takeBytes(file: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  for (let at = 0; at < length; ) {
    const read = readSync(file, bytes, at, length - at, null);
    if (read === 0) throw new Error("the process that starts git has ended");
    at += read;
  }
  return bytes;
}
