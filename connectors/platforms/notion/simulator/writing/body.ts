import type { Context } from "hono";
import type { NotionEnv } from "../api-context.ts";
import { type Input, isObject, readObject } from "../properties/read-input.ts";
import type { Writer } from "../properties/writer.ts";
import { invalid, Refused } from "../refused.ts";
import type { NotionWorld } from "../state.ts";
import { isInTrash } from "../store.ts";

/** Longest body of a request. Source: [limits], 500 KB. */
export const BODY_BYTES = 500_000;

/** Reads the JSON body of a request, of which only the named members may be there. No body counts as an empty one. */
export async function readBody(c: Context, members: readonly string[]): Promise<Input> {
  const text = await c.req.text();
  if (Buffer.byteLength(text) > BODY_BYTES)
    throw invalid(`The body is larger than ${BODY_BYTES / 1_000} KB.`);
  return readObject(parse(text), "body", members);
}

function parse(text: string): unknown {
  if (text === "") return {};
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch {
    // Told below, like a body that is no object.
  }
  throw new Refused("invalid_json", "Error parsing JSON body.");
}

/** Who writes with this request. */
export const writerOf = (world: NotionWorld, c: Context<NotionEnv>): Writer => ({
  world,
  grant: c.get("grant"),
});

/**
 * @throws Refused when something, or what it stands in, is in the trash. Source: the API's message, as public bug reports
 *   quote it
 */
export function refuseTrash(world: NotionWorld, id: string): void {
  if (isInTrash(world, id))
    throw invalid("Can't edit block that is archived. You must unarchive the block before editing.");
}

/** What a request says of the trash, in either of its two words; undefined = nothing. */
export function trashOf(input: Input): boolean | undefined {
  const { in_trash, archived } = input;
  if (in_trash !== undefined && archived !== undefined && in_trash !== archived)
    throw invalid("body failed validation: in_trash and archived say different things.");
  const wanted = in_trash ?? archived;
  if (wanted !== undefined && typeof wanted !== "boolean")
    throw invalid("body failed validation: body.in_trash should be a boolean.");
  return wanted;
}
