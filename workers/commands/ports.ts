import { createServer } from "node:net";
import { listenersOf } from "#connectors/registry/ports.ts";
import { setups } from "#connectors/registry/setups.generated.ts";

/** True when a server can listen on this loopback port. */
export function isPortFree(port: number): Promise<boolean> {
  return new Promise((settle) => {
    const probe = createServer();
    probe.once("error", () => settle(false));
    probe.listen(port, "127.0.0.1", () => probe.close(() => settle(true)));
  });
}

/** A sentence for every port in use; empty when all are free. */
export async function takenPorts(wanted: readonly { port: number; what: string }[]): Promise<string[]> {
  const checks = await Promise.all(
    wanted.map(async ({ port, what }) =>
      (await isPortFree(port)) ? null : `Port ${port} (${what}) is in use.`,
    ),
  );
  return checks.filter((sentence) => sentence !== null);
}

/** Every port that `npm start` needs with this base port, and its purpose. */
export function portsFrom(port: number): { port: number; what: string }[] {
  return listenersOf(Object.values(setups)).map(({ offset, what }) => ({ port: port + offset, what }));
}
