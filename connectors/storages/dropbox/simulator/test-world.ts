import { expect, onTestFinished } from "vitest";
import { findPerson } from "#connectors/toolkit/simulator/storage-site.ts";
import {
  type AnsweredCall,
  type DropboxSimulatorOptions,
  startDropboxSimulator,
} from "./dropbox-simulator.ts";
import { misfitsOf } from "./expect-fits.ts";

/** A parsed response. */
export type Answer = { status: number; headers: Headers; text: string; json: Record<string, unknown> };

/**
 * Starts a simulated Dropbox for one test and stops it afterwards. At the end it checks every call and response
 * against the published routes, if they are available locally.
 */
export async function dropboxForTest(options: DropboxSimulatorOptions = {}) {
  const calls: AnsweredCall[] = [];
  const dropbox = await startDropboxSimulator({ onAnswer: (call) => calls.push(call), ...options });
  onTestFinished(async () => {
    await dropbox.stop();
    expect([...new Set(calls.flatMap(misfitsOf))]).toEqual([]);
  });
  const { world } = dropbox;
  const tokenOf = (login = "nora-lindqvist", scopes: string[] = [...world.settings.scopes]) => {
    const personId = findPerson(world.state, login)?.id ?? "";
    return world.desk.issueAccess(world.desk.allow({ personId, scopes, isOffline: true })).value;
  };
  const token = tokenOf();
  return {
    ...dropbox,
    tokenOf,
    /** Calls the host `api`. */
    call: async (name: string, arg: unknown = null, as: string = token): Promise<Answer> =>
      answerOf(
        await fetch(`${dropbox.apiUrl}/2/${name}`, {
          method: "POST",
          headers: {
            Authorization: `Bearer ${as}`,
            ...(arg === null ? {} : { "Content-Type": "application/json" }),
          },
          ...(arg === null ? {} : { body: JSON.stringify(arg) }),
        }),
      ),
    /** Sends bytes. */
    send: async (name: string, arg: unknown, bytes: Uint8Array | string = "", as = token): Promise<Answer> =>
      answerOf(
        await fetch(`${dropbox.contentUrl}/2/${name}`, {
          method: "POST",
          headers: {
            Authorization: `Bearer ${as}`,
            "Content-Type": "application/octet-stream",
            "Dropbox-API-Arg": JSON.stringify(arg),
          },
          body: bytes as BodyInit,
        }),
      ),
    /** Fetches bytes. */
    download: (path: string, headers: Record<string, string> = {}) =>
      fetch(`${dropbox.contentUrl}/2/files/download`, {
        method: "POST",
        headers: {
          Authorization: `Bearer ${token}`,
          "Dropbox-API-Arg": JSON.stringify({ path }),
          ...headers,
        },
      }),
    /** Sends a command to `/__sim`. */
    control: (pathname: string, body: unknown = {}) =>
      fetch(`${dropbox.url}/__sim${pathname}`, { method: "POST", body: JSON.stringify(body) }),
  };
}

async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.includes("json") === true;
  const json = (isJson ? JSON.parse(text) : {}) as Record<string, unknown>;
  return { status: response.status, headers: response.headers, text, json };
}
