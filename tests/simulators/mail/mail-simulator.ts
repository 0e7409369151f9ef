import { existsSync, mkdirSync } from "node:fs";
import path from "node:path";
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import { z } from "zod";
import {
  type SimulatorServer,
  startSimulatorServer,
} from "#connectors/toolkit/simulator/simulator-server.ts";
import { openStateFile } from "#connectors/toolkit/simulator/state-file.ts";
import { type InboxMessage, inboxPage, mailPage } from "./inbox-page.ts";

const sendSchema = z.object({
  from: z.string(),
  to: z.union([z.string(), z.array(z.string())]),
  subject: z.string(),
  html: z.string().default(""),
  text: z.string().default(""),
  /** Idempotency key: a mail sent twice with one key is stored once. */
  key: z.string().optional(),
  replyTo: z.string().optional(),
  headers: z.record(z.string(), z.string()).default({}),
});

type MailState = { number: number; messages: InboxMessage[] };

/** Starts an inbox that accepts every mail, for the demo and for tests. */
export async function startMailSimulator(
  options: { port?: number; directory?: string; token?: string } = {},
): Promise<SimulatorServer> {
  const file = openMailbox(options.directory);
  const server = await startSimulatorServer(options.port ?? 0, () => {
    const listen = getRequestListener(mailApp(file, options.token ?? null).fetch);
    return { handle: (request, response) => listen(request, response) };
  });
  return {
    ...server,
    async stop() {
      await server.stop();
      file.flush();
    },
  };
}

type Mailbox = { state: MailState; save(): void; flush(): void };

function openMailbox(directory: string | undefined): Mailbox {
  const fresh = () => ({ number: 0, messages: [] });
  if (directory === undefined) return { state: fresh(), save: () => undefined, flush: () => undefined };
  if (!existsSync(directory)) mkdirSync(directory, { recursive: true });
  return openStateFile<MailState>(path.join(directory, "mailbox.json"), fresh);
}

function mailApp({ state, save }: Mailbox, token: string | null): Hono {
  const app = new Hono();
  app.post("/send", async (c) => {
    const presented = /^Bearer (.+)$/.exec(c.req.header("authorization") ?? "")?.[1];
    if (!presented || (token !== null && presented !== token))
      return c.json({ message: "unauthorized" }, 401);
    const order = sendSchema.safeParse(await c.req.json().catch(() => null));
    if (!order.success) return c.json({ message: order.error.message }, 422);
    const known = order.data.key && state.messages.find(({ key }) => key === order.data.key);
    if (known) return c.json({ id: known.id });
    state.number += 1;
    const message: InboxMessage = {
      ...order.data,
      id: `mail-${state.number}`,
      at: Date.now(),
      to: [order.data.to].flat(),
      key: order.data.key ?? null,
      replyTo: order.data.replyTo ?? null,
    };
    state.messages.unshift(message);
    save();
    return c.json({ id: message.id });
  });
  app.get("/messages", (c) => {
    const to = c.req.query("to");
    return c.json({ messages: state.messages.filter((message) => !to || message.to.includes(to)) });
  });
  app.delete("/messages", (c) => {
    state.messages = [];
    save();
    return c.body(null, 204);
  });
  app.get("/", (c) => c.html(inboxPage(state.messages)));
  app.get("/messages/:id", (c) => {
    const message = state.messages.find(({ id }) => id === c.req.param("id"));
    return message ? c.html(mailPage(message)) : c.text("There is no such mail.", 404);
  });
  return app;
}
