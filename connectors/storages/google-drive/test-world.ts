import { readFileSync, writeFileSync } from "node:fs";
import type { StorageWorld } from "#tests/conformance/describe-storage-connector.ts";
import { renewingSession, sendControl } from "#tests/conformance/storage-session.ts";
import { googleDriveVars } from "#tests/simulators/storages.ts";
import { authoriser } from "./authorize.ts";
import { changeFile, contentFile, isInTrash, pathOfFile, usedBytes } from "./simulator/files.ts";
import {
  DEFAULT_GOOGLE_DRIVE_SETTINGS,
  type GoogleDriveSimulator,
  type GoogleDriveSimulatorOptions,
  startGoogleDriveSimulator,
} from "./simulator/google-drive-simulator.ts";
import { type DriveFile, type DrivePerson, FILE_SCOPE } from "./simulator/state.ts";

/** A simulated Google Drive and a person who has connected it. */
export type DriveTestWorld = StorageWorld & {
  drive: GoogleDriveSimulator;
  person: DrivePerson;
  /** Sends a command to the simulator. */
  control(order: string, body?: object): Promise<void>;
};

/** Opens a simulated Google Drive that Nora has connected. */
export async function openDriveWorld(options: GoogleDriveSimulatorOptions = {}): Promise<DriveTestWorld> {
  const drive = await startGoogleDriveSimulator(options);
  const { desk, state } = drive.world;
  const person = state.people[0] as DrivePerson;
  const grant = desk.allow({ personId: person.id, scopes: [FILE_SCOPE], isOffline: true });
  const config = googleDriveVars(drive);
  const tokens = { access: desk.issueAccess(grant).value, refresh: grant.refreshToken ?? "" };
  const files = () => state.files.filter((file) => file.content !== null && !isInTrash(drive.world, file));
  const pathOf = (file: DriveFile) => pathOfFile(drive.world, file).replace(/^Holdfast\//, "");
  return {
    drive,
    person,
    simulator: drive,
    session: () => renewingSession(authoriser, config, tokens),
    files: async () =>
      files().map((file) => ({
        path: pathOf(file),
        bytes: readFileSync(contentFile(drive.world, file.id)),
      })),
    // Drive does not count unfinished uploads.
    unfinished: async () => 0,
    replace: async (path) => {
      const file = files().find((each) => pathOf(each) === path);
      if (!file?.content) throw new Error(`There is no ${path}`);
      writeFileSync(contentFile(drive.world, file.id), "not ours");
      changeFile(drive.world, file, {}, { ...file.content, sizeBytes: 8, headRevisionId: "0Btheirs" });
    },
    revoke: async () => desk.endGrants("revoke", person.id),
    removeHome: null,
    leaveRoom: async (bytes) => {
      person.limitBytes = usedBytes(drive.world, person) + bytes;
    },
    tooMany: (seconds) => ({ kind: "rate-limit", shape: "user", retryAfter: String(seconds) }),
    secrets: [tokens.access, tokens.refresh, DEFAULT_GOOGLE_DRIVE_SETTINGS.clientSecret],
    control: (order, body) => sendControl(`${drive.url}/__sim/google-drive/${order}`, body),
    close: () => drive.stop(),
  };
}
