import { createServer } from "node:net";

/** True when a server could listen on the port of the loopback interface. */
export function isPortFree(port: number): Promise<boolean> {
  return new Promise((settle) => {
    const probe = createServer();
    probe.once("error", () => settle(false));
    probe.listen(port, "127.0.0.1", () => probe.close(() => settle(true)));
  });
}

/** A sentence for every port that is taken; empty when all are free. */
export async function takenPorts(wanted: readonly { port: number; what: string }[]): Promise<string[]> {
  const checks = await Promise.all(
    wanted.map(async ({ port, what }) =>
      (await isPortFree(port)) ? null : `Port ${port} (${what}) is in use.`,
    ),
  );
  return checks.filter((sentence) => sentence !== null);
}

/** What listens where, counted from the product's own port. */
const LISTENERS = [
  "Holdfast",
  "simulated GitHub",
  "simulated mail",
  "simulated identity providers",
  "simulated GitLab",
  "simulated Trello",
  "files of the simulated Trello",
  "simulated S3",
  "simulated Dropbox",
  "simulated Google Drive",
];

/** Every port that a start from this one needs, and what for. */
export function portsFrom(port: number): { port: number; what: string }[] {
  return LISTENERS.map((what, offset) => ({ port: port + offset, what }));
}
