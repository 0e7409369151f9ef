import { readFileSync } from "node:fs";
import type { StorageWorld } from "#tests/conformance/describe-storage-connector.ts";
import { renewingSession, sendControl } from "#tests/conformance/storage-session.ts";
import { dropboxVars } from "#tests/simulators/storages.ts";
import { authoriser } from "./authorize.ts";
import {
  DEFAULT_DROPBOX_SETTINGS,
  type DropboxSimulator,
  type DropboxSimulatorOptions,
  startDropboxSimulator,
} from "./simulator/dropbox-simulator.ts";
import { entryFile, usedBytes } from "./simulator/entries.ts";
import type { DropboxPerson } from "./simulator/state.ts";

/** A simulated Dropbox and a person who has connected it. */
export type DropboxTestWorld = StorageWorld & {
  dropbox: DropboxSimulator;
  person: DropboxPerson;
  /** Sends a command to the simulator. */
  control(order: string, body?: object): Promise<void>;
};

/** Opens a simulated Dropbox that Nora has connected. */
export async function openDropboxWorld(options: DropboxSimulatorOptions = {}): Promise<DropboxTestWorld> {
  const dropbox = await startDropboxSimulator(options);
  const { desk, state } = dropbox.world;
  const person = state.people[0] as DropboxPerson;
  const scopes = ["account_info.read", "files.content.write", "files.metadata.read"];
  const grant = desk.allow({ personId: person.id, scopes, isOffline: true });
  const config = dropboxVars(dropbox);
  const tokens = { access: desk.issueAccess(grant).value, refresh: grant.refreshToken ?? "" };
  const entries = () => state.entries.filter(({ file }) => file !== null);
  return {
    dropbox,
    person,
    simulator: dropbox,
    session: () => renewingSession(authoriser, config, tokens),
    files: async () =>
      entries().map((entry) => ({
        path: entry.pathDisplay.slice(1),
        bytes: readFileSync(entryFile(dropbox.world, entry)),
      })),
    // Dropbox does not count unfinished sessions.
    unfinished: async () => 0,
    replace: async (path) => {
      const arg = JSON.stringify({ path: `/${path}`, mode: "overwrite" });
      await fetch(`${dropbox.contentUrl}/2/files/upload`, {
        method: "POST",
        headers: {
          Authorization: `Bearer ${tokens.access}`,
          "Content-Type": "application/octet-stream",
          "Dropbox-API-Arg": arg.replace(
            /[\u007f-\uffff]/g,
            (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
          ),
        },
        body: "not ours",
      });
    },
    revoke: async () => desk.endGrants("revoke", person.id),
    removeHome: null,
    leaveRoom: async (bytes) => {
      person.allocatedBytes = usedBytes(dropbox.world, person) + bytes;
    },
    tooMany: (seconds) => ({ kind: "rate-limit", shape: "requests", retryAfter: String(seconds) }),
    secrets: [tokens.access, tokens.refresh, DEFAULT_DROPBOX_SETTINGS.clientSecret],
    control: (order, body) => sendControl(`${dropbox.url}/__sim/dropbox/${order}`, body),
    close: () => dropbox.stop(),
  };
}
