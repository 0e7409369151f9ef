import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import {
  type SimulatorServer,
  startSimulatorServer,
} from "#connectors/toolkit/simulator/simulator-server.ts";
import { openStateFolder } from "#connectors/toolkit/simulator/state-folder.ts";
import { type AnsweredExchange, watchAnswers } from "#connectors/toolkit/simulator/watch-answers.ts";
import { answerCall } from "./api.ts";
import { browserApp } from "./browser-app.ts";
import { controlRoutes } from "./control.ts";
import { pages } from "./pages.ts";
import { createWebhookEndpoint } from "./routes/account.ts";
import { emptyState, type StripeSettings, type StripeWorld } from "./state.ts";
import { all, clockNow } from "./store.ts";
import { runUntil } from "./timeline.ts";
import { sendDeliveries } from "./webhooks.ts";

/** A running simulated Stripe: the API at `/v1`, Stripe.js at `/v3/`, and the pages that Stripe hosts. */
export type StripeSimulator = SimulatorServer & {
  world: StripeWorld;
  /** Answers a request in the same process: for tests with so many that a network would take most of their time. */
  answer(request: Request): Promise<Response>;
};

/** Options of a simulated Stripe. The defaults suit tests. */
export type StripeSimulatorOptions = {
  /** 0 = any free port. */
  port?: number;
  /** Keeps the state across restarts. Without it, it is in a temporary folder. */
  directory?: string | undefined;
  settings?: Partial<StripeSettings>;
  /** Called with every answer of the API. */
  onAnswer?: (exchange: AnsweredExchange) => void;
};

const DEFAULT_SETTINGS: StripeSettings = {
  secretKey: "sk_test_51SimulatedHoldfastSecretKey0000000000",
  publishableKey: "pk_test_51SimulatedHoldfastPublishableKey000",
  webhookSecret: "whsec_simulatedHoldfastWebhookSecret0000000",
  webhookUrl: null,
  isHeld: false,
  afterRetries: "unpaid",
};

/** What the product's endpoint is registered for. `invoice.created` would make renewals wait for its answer. */
const PRODUCT_EVENTS = [
  ...["created", "updated", "deleted", "paused", "resumed"].map((what) => `customer.subscription.${what}`),
  ...["pending_update_applied", "pending_update_expired"].map((what) => `customer.subscription.${what}`),
  ...["finalized", "finalization_failed", "paid", "payment_failed"].map((what) => `invoice.${what}`),
  ...["payment_action_required", "voided", "marked_uncollectible"].map((what) => `invoice.${what}`),
  ...["customer.updated", "customer.deleted", "charge.refunded", "refund.updated", "refund.failed"],
  ...["created", "updated", "voided"].map((what) => `credit_note.${what}`),
  ...["created", "updated", "deleted"].map((what) => `customer.tax_id.${what}`),
  ...["attached", "detached", "updated", "automatically_updated"].map((what) => `payment_method.${what}`),
  ...["created", "updated", "closed"].map((what) => `charge.dispute.${what}`),
];

/** How often renewals and other things of the account fall due while nobody calls. */
const TICK_MS = 1_000;

/** Starts a simulated Stripe on the loopback interface. */
export async function startStripeSimulator(options: StripeSimulatorOptions = {}): Promise<StripeSimulator> {
  const settings = { ...DEFAULT_SETTINGS, ...options.settings };
  const file = openStateFolder(options.directory, () => emptyState(settings.isHeld));
  // A state that was saved before a kind of object existed has no table for it.
  file.state.tables = { ...emptyState(settings.isHeld).tables, ...file.state.tables };
  const world: StripeWorld = {
    state: file.state,
    settings,
    url: "",
    moment: null,
    save: file.save,
    refuse: () => undefined,
    deliver: () => void sendDeliveries(world),
  };
  const { webhookUrl: url, webhookSecret: secret } = settings;
  if (url !== null && !all(world, "webhook_endpoint").some((endpoint) => endpoint.url === url)) {
    createWebhookEndpoint(world, { url, events: [...PRODUCT_EVENTS], secret, description: "The product" });
  }
  const app = webApp(world, options.onAnswer);
  const server = await startSimulatorServer(options.port ?? 0, ({ url, log }) => {
    world.url = url;
    world.refuse = (refusal) => log.refuse(refusal);
    const listen = getRequestListener(app.fetch);
    return { handle: (request, response) => listen(request, response), control: controlRoutes(world) };
  });
  const timer = setInterval(() => {
    runUntil(world, clockNow(world), null);
    world.deliver();
  }, TICK_MS).unref();
  return {
    ...server,
    world,
    answer: async (request) => app.fetch(request),
    async stop() {
      clearInterval(timer);
      // A delivery on its way may end after the folder is gone.
      world.save = () => undefined;
      world.deliver = () => undefined;
      await server.stop();
      file.close();
    },
  };
}

function webApp(world: StripeWorld, onAnswer: StripeSimulatorOptions["onAnswer"]): Hono {
  const app = new Hono();
  app.use("/v1/*", watchAnswers("/v1", onAnswer));
  app.options("/v1/*", (c) => {
    c.header("Access-Control-Allow-Origin", "*");
    c.header("Access-Control-Allow-Headers", "Authorization, Content-Type, Idempotency-Key, Stripe-Version");
    c.header("Access-Control-Allow-Methods", "GET, POST, DELETE");
    return c.body(null, 204);
  });
  app.all("/v1/*", (c) => answerCall(world, c));
  app.route("/", browserApp(world));
  app.route("/", pages(world));
  return app;
}
