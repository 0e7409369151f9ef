import type { Born, Metadata, Seconds, Thing } from "./base.ts";

export type Interval = "day" | "week" | "month" | "year";
export type Tier = { up_to: number | null; unit_amount: number | null; flat_amount: number | null };
export type Price = Born<"price"> & {
  active: boolean;
  billing_scheme: "per_unit" | "tiered";
  currency: string;
  lookup_key: string | null;
  metadata: Metadata;
  nickname: string | null;
  product: string;
  recurring: { interval: Interval; interval_count: number } | null;
  tiers_mode: "graduated" | "volume" | null;
  unit_amount: number | null;
  unit_amount_decimal: string | null;
  tax_behavior: "exclusive" | "inclusive" | "unspecified";
  sim: { tiers: Tier[] };
};
export type Product = Born<"product"> & {
  active: boolean;
  name: string;
  description: string | null;
  metadata: Metadata;
  updated: Seconds;
};

export type Coupon = Born<"coupon"> & {
  amount_off: number | null;
  currency: string | null;
  percent_off: number | null;
  duration: "forever" | "once" | "repeating";
  duration_in_months: number | null;
  max_redemptions: number | null;
  redeem_by: Seconds | null;
  times_redeemed: number;
  valid: boolean;
  name: string | null;
  metadata: Metadata;
  sim: { products: string[] | null };
};
export type PromotionCode = Born<"promotion_code"> & {
  active: boolean;
  code: string;
  customer: string | null;
  expires_at: Seconds | null;
  max_redemptions: number | null;
  times_redeemed: number;
  promotion: { coupon: string; type: "coupon" };
  restrictions: {
    first_time_transaction: boolean;
    minimum_amount: number | null;
    minimum_amount_currency: string | null;
  };
  metadata: Metadata;
};
export type Discount = Omit<Thing<"discount">, "livemode"> & {
  source: { coupon: string; type: "coupon" };
  promotion_code: string | null;
  subscription: string | null;
  customer: string | null;
  start: Seconds;
  end: Seconds | null;
};
export type TaxRate = Born<"tax_rate"> & {
  active: boolean;
  display_name: string;
  percentage: number;
  inclusive: boolean;
  country: string | null;
};
export type TaxId = Born<"tax_id"> & {
  customer: string;
  type: string;
  value: string;
  country: string | null;
};
