import { rmSync } from "node:fs";
import { createConnection, createServer, type Server } from "node:net";
import { join, relative } from "node:path";

/**
 * Makes this process the only one that works in the folder until it ends: two runtimes on the same databases would
 * damage them. The claim is a socket, so it ends with its process, even after a kill.
 *
 * @param note Sent to other processes that try to claim the folder, e.g. a URL.
 * @returns null when this process claimed the folder, otherwise the note of its holder
 * @throws Error when no socket can be created in the folder
 */
export async function claimFolder(folder: string, note: string): Promise<string | null> {
  // Socket paths have a short maximum length, so use the relative path if it is shorter.
  const [path = ""] = [join(folder, "running.sock")]
    .flatMap((absolute) => [absolute, relative(process.cwd(), absolute)])
    .sort((a, b) => a.length - b.length);
  const server = createServer((asker) => asker.end(note)).unref();
  if (await listens(server, path)) return null;
  const holder = await ask(path);
  if (holder !== null) return holder;
  // Nobody answers: the socket was left by a killed process.
  rmSync(path, { force: true });
  if (await listens(server, path)) return null;
  return ask(path);
}

function listens(server: Server, path: string): Promise<boolean> {
  return new Promise((settle, fail) => {
    server.once("error", (cause: NodeJS.ErrnoException) =>
      cause.code === "EADDRINUSE" ? settle(false) : fail(cause),
    );
    server.listen(path, () => settle(true));
  });
}

/** The holder's note; null when no process listens on the socket. */
function ask(path: string): Promise<string | null> {
  return new Promise((settle) => {
    let note = "";
    createConnection(path)
      .on("data", (chunk) => {
        note += String(chunk);
      })
      .once("end", () => settle(note))
      .once("error", () => settle(null));
  });
}
