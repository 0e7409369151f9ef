import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { serveGitBackend } from "./git-backend.ts";

/** What a test may do to a server. */
export type GitServerOptions = {
  /** Settings of git per repository path, e.g. `/repo.git`. */
  config?: (repositoryPath: string) => Readonly<Record<string, string>>;
  /** Answers instead of git when it returns true. */
  intercept?: (request: IncomingMessage, response: ServerResponse) => boolean;
};

/** A git server on loopback. */
export type GitServer = {
  /** Address without a trailing slash; repositories lie below it. */
  url: string;
  /** Every request that came in. */
  requests: { method: string; url: string; headers: IncomingMessage["headers"] }[];
  /** May be exchanged between requests. */
  options: GitServerOptions;
  close(): Promise<void>;
};

/** Serves the bare repositories below `root` with real git, without any platform around it. */
export async function startGitServer(root: string, options: GitServerOptions = {}): Promise<GitServer> {
  const requests: GitServer["requests"] = [];
  const state: GitServer = { url: "", requests, options, close: async () => undefined };
  // Who calls ends idle connections: if both did, a call could meet the closing of the one it was sent by.
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
