import type { RouteConfig } from "@hono/zod-openapi";
import { refusals } from "./describe-route.ts";
import type { Api } from "./mount-route.ts";

type Answers = RouteConfig["responses"];

const BYTES = { schema: {} };
const redirect = (description: string): Answers => ({
  "302": { description, headers: { Location: { schema: { type: "string" as const } } } },
});
const inPath = (...names: string[]) =>
  names.map((name) => ({ name, in: "path" as const, required: true, schema: { type: "string" as const } }));
const inQuery = (...names: string[]) =>
  names.map((name) => ({ name, in: "query" as const, required: false, schema: { type: "string" as const } }));

const TAKEN: Answers = {
  "200": {
    description: "Taken.",
    content: { "application/json": { schema: { $ref: "#/components/schemas/Envelope" } } },
  },
};

/** Routes that answer with a page or with bytes. They use the envelope only for errors. */
const DOORS = [
  {
    method: "get",
    path: "/api/openapi.json",
    summary: "This document",
    isPublic: true,
    parameters: [],
    answers: {
      "200": {
        description: "An OpenAPI 3.1 document.",
        content: { "application/json": { schema: { type: "object" } } },
      },
    },
    refuses: ["err.maintenance"],
  },
  {
    method: "get",
    path: "/ws",
    summary: "The live connection, a websocket; `sub` is the person's own",
    isPublic: false,
    parameters: inQuery("sub"),
    answers: { "101": { description: "The socket is open; its first message is `welcome`." } },
    refuses: ["err.session.missing", "err.request.origin", "err.role.forbidden", "err.request.invalid"],
  },
  {
    method: "get",
    path: "/connect/{platform}/callback",
    summary: "Where a platform's consent page sends the browser back to",
    isPublic: false,
    parameters: [...inPath("platform"), ...inQuery("code", "state", "error")],
    answers: redirect(
      "To the platform's list, or to the wizard with `error_message`; who is not signed in signs in.",
    ),
    refuses: ["err.platform.unknown"],
  },
  {
    method: "get",
    path: "/storage/{kind}/callback",
    summary: "Where a storage's consent page sends the browser back to",
    isPublic: false,
    parameters: [...inPath("kind"), ...inQuery("code", "state", "error")],
    answers: redirect("To where it was begun, or to the settings with `error_message`."),
    refuses: ["err.storage.unknown"],
  },
  {
    method: "get",
    path: "/identity/federation/start",
    summary: "Begin signing in through another service",
    isPublic: true,
    parameters: inQuery("provider", "domain", "next"),
    answers: redirect("To the service, or to the sign-in page with `failure`."),
    refuses: ["err.maintenance"],
  },
  {
    method: "get",
    path: "/identity/federation/callback",
    summary: "Where the other service sends the browser back to",
    isPublic: true,
    parameters: inQuery("code", "state", "error"),
    answers: redirect("Signed in, or to the sign-in page with `failure`."),
    refuses: ["err.maintenance"],
  },
  {
    method: "post",
    path: "/forge/session",
    summary: "A one-time code for the person who looks at the app's page; the host signs the call",
    isPublic: true,
    parameters: [],
    answers: TAKEN,
    refuses: ["err.host.token", "err.request.invalid", "err.not.found", "err.maintenance"],
  },
  {
    method: "post",
    path: "/forge/tick",
    summary: "The hourly call of the app's host, and its events; the host signs them",
    isPublic: true,
    parameters: [],
    answers: TAKEN,
    refuses: [
      "err.host.token",
      "err.request.invalid",
      "err.request.too.large",
      "err.not.found",
      "err.maintenance",
    ],
  },
  {
    method: "post",
    path: "/hooks/{platform}",
    summary: "What a platform reports by itself, with its signature over the raw body",
    isPublic: true,
    parameters: inPath("platform"),
    answers: TAKEN,
    refuses: ["err.request.invalid", "err.request.too.large", "err.not.found", "err.maintenance"],
  },
  {
    method: "post",
    path: "/api/payments/stripe-webhook",
    summary: "Events of the payment provider, with its signature over the raw body",
    isPublic: true,
    parameters: [],
    answers: {
      "200": {
        description: "Taken, or taken before.",
        content: {
          "application/json": {
            schema: {
              type: "object",
              required: ["received"],
              properties: { received: { type: "boolean" } },
            },
          },
        },
      },
    },
    refuses: ["err.request.invalid", "err.request.too.large", "err.maintenance"],
  },
  {
    method: "post",
    path: "/api/mail/unsubscribe",
    summary: "One-click unsubscribing of mail programs (RFC 8058)",
    isPublic: true,
    parameters: inQuery("content", "iv"),
    answers: {
      "200": { description: "Unsubscribed.", content: { "text/plain": { schema: { type: "string" } } } },
    },
    refuses: ["err.link.purpose", "err.maintenance"],
  },
  {
    method: "get",
    path: "/api/mail/unsubscribe",
    summary: "The same link opened by a person",
    isPublic: true,
    parameters: inQuery("content", "iv"),
    answers: redirect("To the page that asks."),
    refuses: ["err.maintenance"],
  },
  {
    method: "get",
    path: "/download/{token}",
    summary: "A version as a ZIP, whole or in ranges; the signed token is the only right",
    isPublic: true,
    parameters: inPath("token"),
    answers: {
      "200": { description: "The whole archive.", content: { "application/zip": BYTES } },
      "206": { description: "The range that was asked for.", content: { "application/zip": BYTES } },
      "416": { description: "The range lies outside." },
    },
    refuses: ["err.link.invalid", "err.link.expired"],
  },
  {
    method: "post",
    path: "/clone/{token}/{name}/git-upload-pack",
    summary: "All objects of a version's repository, for plain git",
    isPublic: true,
    parameters: inPath("token", "name"),
    answers: {
      "200": { description: "A pack.", content: { "application/x-git-upload-pack-result": BYTES } },
      "404": {
        description: "There is no such repository, or git has to fetch it file by file.",
        content: { "text/plain": { schema: { type: "string" } } },
      },
    },
    refuses: ["err.link.invalid", "err.link.expired", "err.request.too.large", "err.request.invalid"],
  },
  {
    method: "get",
    path: "/clone/{token}/{name}/{path}",
    summary: "A version's repository for plain git: its refs, or one of its files",
    isPublic: true,
    parameters: inPath("token", "name", "path"),
    answers: {
      "200": { description: "The file.", content: { "application/octet-stream": BYTES } },
      "206": { description: "The range that was asked for.", content: { "application/octet-stream": BYTES } },
      "404": {
        description: "There is no such file.",
        content: { "text/plain": { schema: { type: "string" } } },
      },
    },
    refuses: ["err.link.invalid", "err.link.expired"],
  },
  {
    method: "get",
    path: "/versions/{item}/{snapshot}/part",
    summary: "One part of a version as a download",
    isPublic: false,
    parameters: [...inPath("item", "snapshot"), ...inQuery("path", "tree", "ref", "shown")],
    answers: { "200": { description: "Its bytes.", content: { "application/octet-stream": BYTES } } },
    refuses: [
      "err.session.missing",
      "err.request.invalid",
      "err.role.forbidden",
      "err.plan.required",
      "err.connection.missing",
      "err.not.found",
      "err.version.unreadable",
    ],
  },
  {
    method: "get",
    path: "/audit/export.csv",
    summary: "The entries of the audit trail that a filter finds, as a table",
    isPublic: false,
    parameters: inQuery("person", "platform", "group", "from", "until", "q"),
    answers: { "200": { description: "The table.", content: { "text/csv": BYTES } } },
    refuses: ["err.session.missing", "err.request.invalid", "err.plan.required"],
  },
  {
    method: "get",
    path: "/avatars/{id}",
    summary: "A photo of somebody of the organisation",
    isPublic: false,
    parameters: inPath("id"),
    answers: { "200": { description: "The picture.", content: { "image/*": BYTES } } },
    refuses: ["err.session.missing", "err.not.found"],
  },
  {
    method: "get",
    path: "/.well-known/security.txt",
    summary: "Where to report a vulnerability (RFC 9116)",
    isPublic: true,
    parameters: [],
    answers: {
      "200": { description: "Its fields.", content: { "text/plain": { schema: { type: "string" } } } },
    },
    refuses: ["err.maintenance"],
  },
] as const;

/** Tag of the routes that are not API calls. */
export const DOORS_TAG = "Pages and files";

/** Adds the routes that answer with pages, redirects and bytes to the OpenAPI document. */
export function describeDoors(api: Api): void {
  for (const { method, path, summary, isPublic, parameters, answers, refuses } of DOORS) {
    api.openAPIRegistry.registerPath({
      method,
      path,
      summary,
      tags: [DOORS_TAG],
      ...(isPublic ? { security: [] } : {}),
      parameters: [...parameters],
      responses: { ...refusals([...refuses, "err.internal"]), ...(answers as Answers) },
    });
  }
}
