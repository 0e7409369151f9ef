import { expect, onTestFinished } from "vitest";
import { findPerson } from "#connectors/toolkit/simulator/storage-site.ts";
import type { AnsweredExchange } from "#connectors/toolkit/simulator/watch-answers.ts";
import { misfitsOf } from "./expect-fits.ts";
import { type GoogleDriveSimulatorOptions, startGoogleDriveSimulator } from "./google-drive-simulator.ts";
import { FILE_SCOPE } from "./state.ts";

/** A parsed response. */
export type Answer = { status: number; headers: Headers; text: string; json: Record<string, unknown> };

/**
 * Starts a simulated Google Drive for one test and stops it afterwards. At the end it checks every exchange against
 * the published description, if it is available locally.
 */
export async function driveForTest(options: GoogleDriveSimulatorOptions = {}) {
  const exchanges: AnsweredExchange[] = [];
  const drive = await startGoogleDriveSimulator({
    onAnswer: (exchange) => exchanges.push(exchange),
    ...options,
  });
  onTestFinished(async () => {
    await drive.stop();
    expect([...new Set(exchanges.flatMap(misfitsOf))]).toEqual([]);
  });
  const { world } = drive;
  const tokenOf = (login = "nora-lindqvist", scopes: string[] = [FILE_SCOPE]) => {
    const personId = findPerson(world.state, login)?.id ?? "";
    return world.desk.issueAccess(world.desk.allow({ personId, scopes, isOffline: true })).value;
  };
  const token = tokenOf();
  const ask = async (
    method: string,
    pathAndQuery: string,
    {
      body,
      headers = {},
      as = token,
    }: { body?: unknown; headers?: Record<string, string>; as?: string } = {},
  ): Promise<Answer> => {
    const isJson = typeof body === "object" && !(body instanceof Uint8Array);
    const url = pathAndQuery.startsWith("http") ? pathAndQuery : `${drive.apiUrl}${pathAndQuery}`;
    const response = await fetch(url, {
      method,
      headers: {
        Authorization: `Bearer ${as}`,
        ...(isJson ? { "Content-Type": "application/json" } : {}),
        ...headers,
      },
      ...(body === undefined ? {} : { body: (isJson ? JSON.stringify(body) : body) as BodyInit }),
    });
    return answerOf(response);
  };
  return {
    ...drive,
    tokenOf,
    ask,
    /** Starts a resumable upload and returns its path. */
    begin: async (metadata: object, sizeBytes: number | null = null, query = ""): Promise<string> => {
      const headers: Record<string, string> = { "X-Upload-Content-Type": "application/zip" };
      if (sizeBytes !== null) headers["X-Upload-Content-Length"] = String(sizeBytes);
      const answer = await ask("POST", `/upload/drive/v3/files?uploadType=resumable${query}`, {
        body: metadata,
        headers,
      });
      expect(answer.status).toBe(200);
      return answer.headers.get("location") ?? "";
    },
    /** Sends a chunk that starts at `first`, of a file with `total` bytes. */
    chunk: (address: string, bytes: Uint8Array, first: number, total: number | "*") =>
      ask("PUT", address, {
        body: bytes,
        headers: { "Content-Range": `bytes ${first}-${first + bytes.length - 1}/${total}` },
      }),
    /** Queries the progress of an upload. */
    question: (address: string, total: number | "*" = "*") =>
      ask("PUT", address, { headers: { "Content-Range": `bytes */${total}` } }),
    /** Sends a command to `/__sim`. */
    control: (pathname: string, body: unknown = {}) =>
      fetch(`${drive.url}/__sim${pathname}`, { method: "POST", body: JSON.stringify(body) }),
  };
}

async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.includes("json") === true;
  const json = (isJson ? JSON.parse(text) : {}) as Record<string, unknown>;
  return { status: response.status, headers: response.headers, text, json };
}
