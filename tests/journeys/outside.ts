import type { FaultOrder } from "#connectors/toolkit/simulator/faults.ts";
import { GITHUB_URL, GITLAB_URL, JIRA_URL, MAIL_URL, NOTION_URL, TRELLO_URL } from "./stack.ts";

/** A mail in the inbox. */
export type Mail = { to: string[]; subject: string; html: string; text: string };

/** One request that the simulated GitHub handled. */
export type Asked = { method: string; path: string; status: number };

/** Triggers an action at the simulated GitHub; see tests/simulators/README.md. */
export async function atGithub(path: string, body: object = {}): Promise<void> {
  await order(`github/${path}`, { method: "POST", body: JSON.stringify(body) });
}

/** Triggers an action at the simulated GitLab. Returns the response body. */
export async function atGitlab<T>(path: string, body: object = {}): Promise<T> {
  const init = { method: "POST", body: JSON.stringify(body) };
  const answer = await order(`gitlab/${path}`, init, GITLAB_URL);
  return (answer.status === 204 ? null : await answer.json()) as T;
}

/** Triggers an action at the simulated Trello. Returns the response body. */
export async function atTrello<T>(path: string, body: object = {}): Promise<T> {
  const init = { method: "POST", body: JSON.stringify(body) };
  const answer = await order(`trello/${path}`, init, TRELLO_URL);
  return (answer.status === 204 ? null : await answer.json()) as T;
}

/** Triggers an action at the simulated Jira. Returns the response body. */
export async function atJira<T>(path: string, body: object = {}): Promise<T> {
  const init = { method: "POST", body: JSON.stringify(body) };
  const answer = await order(`jira/${path}`, init, JIRA_URL);
  return (answer.status === 204 ? null : await answer.json()) as T;
}

/** Triggers an action at the simulated Notion. Returns the response body. */
export async function atNotion<T>(path: string, body: object = {}): Promise<T> {
  const init = { method: "POST", body: JSON.stringify(body) };
  const answer = await order(`notion/${path}`, init, NOTION_URL);
  return (answer.status === 204 ? null : await answer.json()) as T;
}

/** Creates a repository. `commits` sets the number of its commits. */
export async function createRepository(
  fullName: string,
  options: { commits?: number; visibility?: "public" | "private"; description?: string } = {},
): Promise<void> {
  const { commits = 2, visibility = "private", description = null } = options;
  await atGithub(`repos/${fullName}`, { visibility, description });
  if (commits > 0) await atGithub(`repos/${fullName}/commits`, { count: commits });
}

/** Injects a fault at the simulated GitHub. The pattern must match only this test's own repository. */
export async function fault(faultOrder: FaultOrder): Promise<void> {
  await order("faults", { method: "POST", body: JSON.stringify(faultOrder) });
}

/** GitHub's handled requests with a matching path, oldest first. */
export async function askedOfGithub(pattern: RegExp): Promise<Asked[]> {
  const { requests } = (await (await order("requests")).json()) as { requests: Asked[] };
  return requests.filter(({ path }) => pattern.test(path));
}

/** Every mail to an address, newest first. */
export async function mailsTo(address: string): Promise<Mail[]> {
  const answer = await fetch(`${MAIL_URL}/messages?to=${encodeURIComponent(address)}`);
  const { messages } = (await answer.json()) as { messages: Mail[] };
  return messages;
}

async function order(path: string, init: RequestInit = {}, at: string = GITHUB_URL): Promise<Response> {
  const answer = await fetch(`${at}/__sim/${path}`, init);
  if (!answer.ok) throw new Error(`/__sim/${path} answered ${answer.status}: ${await answer.text()}`);
  return answer;
}
