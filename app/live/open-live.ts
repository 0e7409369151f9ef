import ReconnectingWebSocket from "partysocket/ws";
import { askSession } from "#app/session/ask-session.ts";
import { isLeaving, leaveEndedSession } from "#app/session/leave.ts";
import { keepPulse } from "./keep-pulse.ts";
import { createLiveClient, type LiveClient } from "./live-client.ts";
import { notifyAutoAdded } from "./notify-auto-added.ts";
import { watchSession } from "./watch-session.ts";

/**
 * A live client on its own reconnecting socket. Nothing is sent before `connect`. Users whose session has ended are
 * sent to the sign-in page.
 */
export function openLive(
  address: string,
  sub: string,
  readAt: () => number,
): { client: LiveClient; connect: () => void; close: () => void } {
  const client = createLiveClient({ readAt });
  client.subscribe(notifyAutoAdded);
  const socket = new ReconnectingWebSocket(address, [], {
    minReconnectionDelay: 500,
    maxReconnectionDelay: 15_000,
    connectionTimeout: 8_000,
    maxEnqueuedMessages: 0,
    startClosed: true,
  });
  const detach = client.attach(socket);
  const pulse = keepPulse(socket);
  const watch = watchSession(socket, async () => (isLeaving() ? "unknown" : askSession(sub)), {
    over: leaveEndedSession,
    other: () => window.location.reload(),
    alive: client.resync,
  });
  const retry = () => socket.reconnect();
  const look = () => document.visibilityState === "visible" && pulse.ask();
  window.addEventListener("online", retry);
  window.addEventListener("offline", pulse.ask);
  document.addEventListener("visibilitychange", look);
  return {
    client,
    connect: retry,
    close: () => {
      window.removeEventListener("online", retry);
      window.removeEventListener("offline", pulse.ask);
      document.removeEventListener("visibilitychange", look);
      pulse.stop();
      watch.stop();
      detach();
      socket.close();
    },
  };
}
