import type { Born, Metadata, Seconds } from "./base.ts";

export type StripeEvent = Born<"event"> & { type: string; data: { object: unknown } };
export type WebhookEndpoint = Born<"webhook_endpoint"> & {
  url: string;
  enabled_events: string[];
  status: "enabled" | "disabled";
  description: string | null;
  metadata: Metadata;
  sim: { secret: string };
};
export type TestClock = Born<"test_helpers.test_clock"> & {
  frozen_time: Seconds;
  status: "ready" | "advancing";
  name: string | null;
};
export type PortalConfiguration = Born<"billing_portal.configuration"> & {
  active: boolean;
  is_default: boolean;
  features: Record<string, { enabled: boolean } & Record<string, unknown>>;
  default_return_url: string | null;
  metadata: Metadata;
  name: string | null;
  updated: Seconds;
};
export type PortalSession = Born<"billing_portal.session"> & {
  configuration: string;
  customer: string;
  return_url: string | null;
  url: string;
};
