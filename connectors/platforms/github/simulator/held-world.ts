import type { AnsweredExchange } from "#connectors/toolkit/simulator/watch-answers.ts";
import { checkRequest } from "#tests/conformance/check-request.ts";
import { contractsAreAbsent } from "#tests/conformance/contracts.ts";
import { expectConforms } from "#tests/conformance/expect-conforms.ts";
import { shapeOf } from "#tests/conformance/shape-of.ts";
import {
  type GithubSimulator,
  type GithubSimulatorOptions,
  startGithubSimulator,
} from "./github-simulator.ts";

/**
 * Starts a simulated GitHub that refuses requests the published contract does not allow, and checks its own answers
 * against the contract, if the contracts are installed. Answers of the same shape are checked once.
 * @returns a simulator whose `stop` throws an Error that lists every breach
 */
export async function startHeldGithub(options: GithubSimulatorOptions = {}): Promise<GithubSimulator> {
  if (contractsAreAbsent()) return startGithubSimulator(options);
  const held = new Set<string>();
  const breaches: string[] = [];
  const hold = ({ method, url, status, body }: AnsweredExchange) => {
    const shape = `${method} ${url.split("?")[0]?.replace(/\d+/g, "0")} ${status} ${shapeOf(body)}`;
    if (held.has(shape)) return;
    held.add(shape);
    try {
      expectConforms("github", method, url, status, body);
    } catch (error) {
      breaches.push(String(error));
    }
  };
  const github = await startGithubSimulator({
    ...options,
    settings: {
      checkRequest: (method, url, body) => checkRequest("github", method, url, body),
      ...options.settings,
    },
    onAnswer: (exchange) => {
      hold(exchange);
      options.onAnswer?.(exchange);
    },
  });
  return {
    ...github,
    stop: async () => {
      await github.stop();
      if (breaches.length > 0) throw new Error(breaches.join("\n"));
    },
  };
}
