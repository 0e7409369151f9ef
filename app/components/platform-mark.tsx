import { uis } from "#connectors/registry/descriptors.generated.ts";

const SIZES = { s: 16, l: 24 } as const;

/** A platform's logo in one colour. Renders nothing for an unknown platform. */
export function PlatformMark({ platform, size = "s" }: { platform: string; size?: "s" | "l" }) {
  const Logo = uis[platform]?.Logo;
  if (!Logo) return null;
  return (
    <span className={size === "l" ? "platform-mark platform-mark-l" : "platform-mark"} aria-hidden>
      <Logo size={SIZES[size]} />
    </span>
  );
}
