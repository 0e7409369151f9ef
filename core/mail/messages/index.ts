import type { z } from "zod";
import type { RenderedMail } from "../layout.ts";
import { backupFailed, backupFailedSchema } from "./backup-failed.ts";
import { connectionLost, connectionLostSchema } from "./connection-lost.ts";
import { restoreFinished, restoreFinishedSchema } from "./restore-finished.ts";
import { zipReady, zipReadySchema } from "./zip-ready.ts";

/** Every e-mail there is: the data it needs and how it reads. */
export const messages = {
  "zip-ready": { data: zipReadySchema, render: zipReady },
  "restore-finished": { data: restoreFinishedSchema, render: restoreFinished },
  "backup-failed": { data: backupFailedSchema, render: backupFailed },
  "connection-lost": { data: connectionLostSchema, render: connectionLost },
} as const;

export type MessageName = keyof typeof messages;
export type MessageData<N extends MessageName> = z.infer<(typeof messages)[N]["data"]>;

/** Renders stored data. @throws ZodError when the data is not the message's */
export function renderMessage(name: string, data: unknown): RenderedMail {
  const message = Object.hasOwn(messages, name) ? messages[name as MessageName] : null;
  if (!message) throw new TypeError(`there is no message ${name}`);
  return (message.render as (data: unknown) => RenderedMail)(message.data.parse(data));
}
