import { DurableObject } from "cloudflare:workers";

/** Sends a text to every socket that hibernates here, and does nothing else: what live updates are compared with. */
export class BareHub extends DurableObject {
  override fetch(): Response {
    const { 0: client, 1: server } = new WebSocketPair();
    this.ctx.acceptWebSocket(server);
    return new Response(null, { status: 101, webSocket: client });
  }

  broadcast(text: string): void {
    for (const socket of this.ctx.getWebSockets()) socket.send(text);
  }
}
