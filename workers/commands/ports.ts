import { createServer } from "node:net";
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

/** Listeners by their offset from the product's port. Those of platforms stand in their `setup.ts`. */
const LISTENERS = [
  { offset: 0, what: "Holdfast" },
  { offset: 2, what: "simulated mail" },
  { offset: 3, what: "simulated identity providers" },
  { offset: 7, what: "simulated S3" },
  { offset: 8, what: "simulated Dropbox" },
  { offset: 9, what: "simulated Google Drive" },
  ...Object.values(setups).flatMap(({ simulator }) => simulator?.listeners ?? []),
];

/** Every port that `npm start` needs with this base port, and its purpose. @throws Error when two share one */
export function portsFrom(port: number): { port: number; what: string }[] {
  const sorted = [...LISTENERS].sort((one, other) => one.offset - other.offset);
  const shared = sorted.find(({ offset }, at) => sorted[at + 1]?.offset === offset);
  if (shared) throw new Error(`Two listeners have the offset ${shared.offset}: ${shared.what} is one.`);
  return sorted.map(({ offset, what }) => ({ port: port + offset, what }));
}
