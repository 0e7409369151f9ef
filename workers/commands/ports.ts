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
