import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { serveGitBackend } from "./git-backend.ts";

/** Options of a test's git server. */
export type GitServerOptions = {
  /** Git settings by repository path, e.g. `/repo.git`. */
  config?: (repositoryPath: string) => Readonly<Record<string, string>>;
  /** Handles a request instead of git if it returns true. */
  intercept?: (request: IncomingMessage, response: ServerResponse) => boolean;
};

/** A git server on loopback. */
export type GitServer = {
  /** URL without a trailing slash; repositories are below it. */
  url: string;
  /** All requests received. */
  requests: { method: string; url: string; headers: IncomingMessage["headers"] }[];
  /** Can be replaced between requests. */
  options: GitServerOptions;
  close(): Promise<void>;
};

/** Serves the bare repositories below `root` with real git, without a simulated platform. */
export async function startGitServer(root: string, options: GitServerOptions = {}): Promise<GitServer> {
  const requests: GitServer["requests"] = [];
  const state: GitServer = { url: "", requests, options, close: async () => undefined };
  // Only the client closes idle connections: otherwise a call could hit a connection that is just being closed.
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    requests.push({ method: request.method ?? "", url: request.url ?? "", headers: request.headers });
    if (state.options.intercept?.(request, response)) return;
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    const [repository = pathname, pathInfo = ""] = splitAfterRepository(pathname);
    const config = state.options.config?.(repository);
    serveGitBackend(request, response, { repository: join(root, repository), pathInfo, config }).catch(() =>
      response.destroy(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  state.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  state.close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return state;
}

function splitAfterRepository(pathname: string): string[] {
  const match = /^(\/.*?\.git)(\/.*)?$/.exec(pathname);
  return match === null ? [] : [match[1]!, match[2] ?? ""];
}
