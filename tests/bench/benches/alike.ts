import { type Bench, check, digits, type Finding, timed, withRuntime } from "../bench.ts";
import { bundleProduct } from "../bundle-product.ts";
import { PUBLIC_URL, type Runtime } from "../runtime.ts";
import { median } from "../statistics.ts";

const PAIRS = 240;
const WARM_UP = 20;
const LEAST = 0.95;
const MOST = 1.05;

/** A call that must not reveal whether an address is known. */
type Door = {
  what: string;
  path: string;
  status: number;
  body: (email: string) => object;
  headers?: Record<string, string>;
  before?: () => Promise<unknown>;
};

/**
 * S4: known and unknown e-mail addresses get the same status, the same body and the same response time. Requests
 * alternate, and the order within a pair alternates too, so that a drift affects both sides.
 */
export const alikeAnswers: Bench = {
  id: "S4",
  run: async (ground) => {
    return withRuntime(await bundleProduct(ground, "alike-worker.ts"), async (runtime, world) => {
      await runtime.call("/people", { emails: addresses("known") });
      const { cookie } = await runtime.call<{ cookie: string }>("/session", { world });
      const findings: Finding[] = [];
      for (const door of doors(runtime, cookie)) findings.push(await compare(runtime, door, ground.say));
      return findings;
    });
  },
};

function doors(runtime: Runtime, cookie: string): Door[] {
  const email = (address: string) => ({ email: address });
  return [
    {
      what: "sign-in",
      path: "/identity/sign-in",
      status: 401,
      body: (address) => ({ email: address, password: "not-the-password" }),
    },
    {
      what: "sign-up",
      path: "/identity/sign-up",
      status: 200,
      body: (address) => ({ email: address, password: 'Rq7"vmK2pLd!', name: "Ann", family_name: "Example" }),
    },
    { what: "recovery", path: "/identity/forgot-password", status: 200, body: email },
    { what: "resending a confirmation", path: "/api/resend-email-verification", status: 200, body: email },
    {
      what: "invitation",
      path: "/api/user/organization-user",
      status: 200,
      body: (address) => ({ email: address, roles: ["organization_github_user"] }),
      headers: { Cookie: cookie, Origin: PUBLIC_URL },
      before: () => runtime.call("/forget-invitations"),
    },
  ];
}

/** Addresses of equal length. Each is used once per call, so that no limit per address applies. */
function addresses(side: "known" | "other"): string[] {
  return Array.from(
    { length: WARM_UP + PAIRS },
    (_, i) => `${side}-${String(i).padStart(4, "0")}@bench.test`,
  );
}

async function compare(runtime: Runtime, door: Door, say: (text: string) => void): Promise<Finding> {
  const sides = { known: addresses("known"), other: addresses("other") };
  const times: Record<keyof typeof sides, number[]> = { known: [], other: [] };
  const bodies = new Set<string>();
  for (let i = 0; i < WARM_UP + PAIRS; i++) {
    const order = i % 2 === 0 ? (["known", "other"] as const) : (["other", "known"] as const);
    for (const side of order) {
      await door.before?.();
      const [milliseconds, body] = await timed(() => ask(runtime, door, sides[side][i]!, i));
      bodies.add(body);
      if (i >= WARM_UP) times[side].push(milliseconds);
    }
  }
  check(bodies.size === 1, `${door.what} answers known and unknown addresses with the same words`);
  const known = median(times.known);
  const other = median(times.other);
  const ratio = known / other;
  say(`${door.what}: known ${known.toFixed(2)} ms, unknown ${other.toFixed(2)} ms`);
  return {
    id: "S4",
    what: `${door.what}: an address that is known / one that is not`,
    value: digits(ratio),
    target: `${LEAST}–${MOST}`,
    isMet: ratio >= LEAST && ratio <= MOST,
    note: `medians of ${PAIRS} pairs in turns, ${known.toFixed(2)} ms and ${other.toFixed(2)} ms`,
  };
}

/**
 * Sends one request with its own client IP address, so that no limit per network applies. Returns the body without ids.
 */
async function ask(runtime: Runtime, door: Door, email: string, i: number): Promise<string> {
  const answer = await fetch(runtime.url + door.path, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      "CF-Connecting-IP": `10.${email.startsWith("known") ? 1 : 2}.${i >> 8}.${i & 255}`,
      ...door.headers,
    },
    body: JSON.stringify(door.body(email)),
  });
  const text = await answer.text();
  check(answer.status === door.status, `${door.what} answers ${answer.status}: ${text.slice(0, 200)}`);
  return text.replaceAll(/inv_[0-9a-z]+/g, "inv");
}
