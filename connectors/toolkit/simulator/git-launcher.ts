/**
 * A small process that starts git for a large one. Forking copies the page tables of the whole process, which in a
 * large one takes longer than most git commands. It has two interfaces in its folder, `argv[2]`: two FIFOs for
 * blocking calls, and a socket for streams. It exits when its parent exits. Only `git-process.ts` starts it.
 */
import { spawn } from "node:child_process";
import { createReadStream, openSync, rmSync, writeSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import { type Frame, type GitOrder, readFrames, untilFree, writeFrame } from "./git-frames.ts";

const folder = process.argv[2] ?? "";
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

createServer({ allowHalfOpen: true }, (socket) => {
  // A client that disconnects early breaks the pipe; the close event ends git.
  socket.on("error", () => undefined);
  stream(socket).catch(() => socket.destroy());
}).listen(join(folder, "streams"), () => {
  serveCalls().then(
    () => process.exit(0),
    () => process.exit(1),
  );
});

/** Runs one git with streamed input and output; disconnecting ends it. */
async function stream(socket: Socket): Promise<void> {
  // The default iterator destroys the socket when its input ends, and git's output goes the other way.
  const frames = readFrames(socket.iterator({ destroyOnReturn: false }));
  const { args, env, cwd } = orderOf((await frames.next()).value || undefined);
  const git = spawn("git", args, { env, cwd, stdio: ["pipe", "pipe", "pipe"] });
  socket.on("close", () => git.kill());
  // Git may exit before it has read all its input.
  git.stdin.on("error", () => undefined);
  const ended = new Promise<number | null>((settle) => {
    git.once("error", () => settle(null));
    git.once("close", settle);
  });
  const send = async (type: Frame["type"], bytes: Uint8Array) => {
    if (!writeFrame(socket, { type, bytes })) await untilFree(socket);
  };
  const pump = async (type: Frame["type"], output: AsyncIterable<Buffer>) => {
    for await (const bytes of output) await send(type, bytes);
  };
  const feed = async () => {
    for await (const { bytes } of frames) {
      if (!git.stdin.write(bytes)) await untilFree(git.stdin);
    }
    git.stdin.end();
  };
  feed().catch(() => git.kill());
  await Promise.all([pump("out", git.stdout), pump("error", git.stderr)]);
  await send("end", Buffer.from(JSON.stringify(await ended)));
  socket.end();
}

/** Serves blocking calls, one at a time. */
async function serveCalls(): Promise<void> {
  // Each open blocks until the other side opens the FIFO too, in the order of `startLauncher`.
  const calls = createReadStream("", { fd: openSync(join(folder, "calls"), "r") });
  const answers = openSync(join(folder, "answers"), "w");
  const frames = readFrames(calls);
  for await (const frame of frames) {
    const { args, env, cwd } = orderOf(frame);
    const { bytes: input } = (await frames.next()).value as Frame;
    const { out, error, code } = await run({ args, env, cwd }, input);
    for (const [type, bytes] of [
      ["out", out],
      ["error", error],
      ["end", Buffer.from(JSON.stringify(code))],
    ] as const) {
      writeFrame({ write: (part) => writeAll(answers, part) }, { type, bytes });
    }
  }
}

async function run({ args, env, cwd }: GitOrder, input: Uint8Array) {
  const git = spawn("git", args, { env, cwd, stdio: ["pipe", "pipe", "pipe"] });
  const gather = async (output: AsyncIterable<Buffer>) => {
    const parts: Buffer[] = [];
    for await (const part of output) parts.push(part);
    return Buffer.concat(parts);
  };
  git.stdin.on("error", () => undefined);
  git.stdin.end(input);
  const ended = new Promise<number | null>((settle) => {
    git.once("error", () => settle(null));
    git.once("close", settle);
  });
  const [out, error, code] = await Promise.all([gather(git.stdout), gather(git.stderr), ended]);
  return { out, error, code };
}

function writeAll(file: number, bytes: Uint8Array): boolean {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
  return true;
}

function orderOf(frame: Frame | undefined): GitOrder {
  if (frame?.type !== "order") throw new Error("git-launcher: a call begins with its order");
  return JSON.parse(Buffer.from(frame.bytes).toString()) as GitOrder;
}
