import { randomUUID } from "node:crypto";

/** A response of S3. */
export type S3Reply = { status: number; headers?: Record<string, string>; body?: string | Uint8Array };

/** An S3 error: `<Error>` with a code. */
export class S3Problem extends Error {
  override name = "S3Problem";
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly more: { headers?: Record<string, string>; elements?: Record<string, string> } = {},
  ) {
    super(message);
  }
}

/** The response for an error. */
export function problemReply(problem: S3Problem, resource: string): S3Reply {
  const elements = { ...problem.more.elements, Resource: resource, RequestId: randomUUID() };
  const body = xml("Error", [
    ["Code", problem.code],
    ["Message", problem.message],
    ...Object.entries(elements),
  ]);
  return { status: problem.status, headers: { ...XML, ...problem.more.headers }, body };
}

/** An XML document, with S3's namespace except for errors. */
export function xml(root: string, members: readonly Member[]): string {
  const space = root === "Error" ? "" : ' xmlns="http://s3.amazonaws.com/doc/2006-03-01/"';
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${root}${space}>${render(members)}</${root}>`;
}

export const XML = { "content-type": "application/xml" };

/** A named element: text, or nested members. */
export type Member = readonly [string, string | number | boolean | readonly Member[]];

function render(members: readonly Member[]): string {
  return members
    .map(
      ([name, value]) =>
        `<${name}>${Array.isArray(value) ? render(value) : escapeText(String(value))}</${name}>`,
    )
    .join("");
}

const escapeText = (text: string) =>
  text.replace(/[&<>"]/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[sign]!);
