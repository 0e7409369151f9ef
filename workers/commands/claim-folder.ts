import { rmSync } from "node:fs";
import { createConnection, createServer, type Server } from "node:net";
import { join, relative } from "node:path";

/**
 * Makes this process the only one that works in the folder, until it ends: two runtimes on the same databases would
 * harm them. The claim is a socket, so that it dies with its process, however that dies.
 *
 * @param note What the next one who asks is told, e.g. an address.
 * @returns null when the folder is ours now, else the note of the process that has it
 * @throws Error when the folder takes no socket
 */
export async function claimFolder(folder: string, note: string): Promise<string | null> {
  // Names of sockets are short; a folder below the current one has a short way to it.
  const [path = ""] = [join(folder, "running.sock")]
    .flatMap((absolute) => [absolute, relative(process.cwd(), absolute)])
    .sort((a, b) => a.length - b.length);
  const server = createServer((asker) => asker.end(note)).unref();
  if (await listens(server, path)) return null;
  const holder = await ask(path);
  if (holder !== null) return holder;
  // Nobody answers: what is left of a process that was killed.
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

/** The note of who listens there; null when nobody does. */
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
