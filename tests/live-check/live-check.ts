/** What a live check sends requests with, and the scratch item that it made. */
export type Scratch = {
  send: Send;
  /** Path of the scratch item. */
  item: string;
  /** Deletes what the check made. @throws Error when something is left */
  close: () => Promise<void>;
};

/** Sends one request. Refusals are answers, too. */
export type Send = (method: string, path: string, body?: unknown) => Promise<LiveAnswer>;

/** An answer of the service; `body` is its JSON, or its text if it is none. */
export type LiveAnswer = { status: number; headers: Headers; body: Json };

/** JSON of a service that nobody has checked yet. */
// biome-ignore lint/suspicious/noExplicitAny: a question looks for what may be missing
export type Json = any;

/** A question to the real service. */
export type LiveQuestion = {
  question: string;
  /** The answer on which the product or its simulator relies. */
  belief: string;
  /** Where the belief comes from. */
  source: string;
  /** Finds the answer, in the words of the belief. */
  ask: (scratch: Scratch) => Promise<string>;
};

/** The live check of one platform. */
export type LiveCheck = {
  label: string;
  /** Environment variables that it needs, and what they are. */
  variables: Readonly<Record<string, string>>;
  /** Environment variables that it knows, with their defaults: addresses of other hosts. */
  defaults: Readonly<Record<string, string>>;
  /** Makes the scratch item. @throws Error when the service refuses */
  open: (settings: Readonly<Record<string, string>>) => Promise<Scratch>;
  questions: readonly LiveQuestion[];
};

/** What a check found. */
export type LiveOutcome = { asked: number; differing: number; isClean: boolean };

/**
 * Asks a service every question, says what differs from our belief, and deletes what it made, also after a failure.
 * @throws Error when a variable is missing, or the scratch item cannot be made
 */
export async function runLiveCheck(
  { label, variables, defaults, open, questions }: LiveCheck,
  env: Readonly<Record<string, string | undefined>>,
  say: (line: string) => void,
): Promise<LiveOutcome> {
  const settings = settingsOf({ variables, defaults }, env);
  const scratch = await open(settings);
  let differing = 0;
  let isClean = true;
  try {
    for (const { question, belief, source, ask } of questions) {
      const answer = await ask(scratch).catch((error) => `no answer: ${String(error)}`);
      if (answer === belief) {
        say(`as believed  ${question} ${answer}`);
        continue;
      }
      differing += 1;
      say(`DIFFERS      ${question}\n  believed: ${belief} (${source})\n  ${label}: ${answer}`);
    }
  } finally {
    isClean = await scratch.close().then(
      () => true,
      (error) => {
        say(`LEFT BEHIND  ${String(error)}`);
        return false;
      },
    );
  }
  return { asked: questions.length, differing, isClean };
}

function settingsOf(
  { variables, defaults }: Pick<LiveCheck, "variables" | "defaults">,
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const settings: Record<string, string> = { ...defaults };
  for (const name of Object.keys(defaults)) if (env[name]) settings[name] = env[name];
  for (const [name, what] of Object.entries(variables)) {
    const value = env[name];
    if (!value) throw new Error(`Set ${name}: ${what}.`);
    settings[name] = value;
  }
  return settings;
}

/** A sender for a base address, with headers for each request. */
export function sender(baseUrl: string, headers: Readonly<Record<string, string>>): Send {
  return async (method, path, body) => {
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      redirect: "manual",
      headers: { ...headers, ...(body === undefined ? {} : { "content-type": "application/json" }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(30_000),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: jsonOf(text) };
  };
}

function jsonOf(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The answer's body. @throws Error when the service refused */
export function must({ status, body }: LiveAnswer, what: string): Json {
  if (status >= 300) throw new Error(`${what}: ${status} ${JSON.stringify(body).slice(0, 300)}`);
  return body;
}

/** A name for a scratch item that nobody else has. */
export function scratchName(): string {
  return `holdfast-live-check-${crypto.randomUUID().slice(0, 8)}`;
}
