import { Link, useLocation } from "@remix-run/react";
import { CircleAlert, Clock, TriangleAlert, X } from "lucide-react";
import { useState } from "react";
import { buttonClass } from "#app/components/button.tsx";
import { IconButton } from "#app/components/icon-button.tsx";
import { planCopy as copy } from "#app/copy/shell.ts";
import { dateText, dateTimeText } from "#app/format/dates.ts";
import { rememberCheckout } from "./checkout-platform.ts";
import type { PlanBanner, PlanNews, ShellView } from "./shell-view.ts";

type Look = {
  tone: "info" | "warn" | "bad";
  text: string;
  action: string;
  /** The action leads to the contact page, not to the checkout. */
  asksUs?: true;
  canDismiss: boolean;
};

/**
 * Plan notices, one at a time, the most severe first. The dashboard shows those of every platform, a platform's pages
 * only its own. Only the owner sees payment actions.
 */
export function BannerStack({ shell }: { shell: ShellView }) {
  const { pathname } = useLocation();
  const [dismissed, setDismissed] = useState<readonly string[]>([]);
  const banner = shell.banners.find(
    ({ platform, key }) =>
      !dismissed.includes(key) && (pathname === "/" || pathname === `/platform/dashboard/${platform}`),
  );
  if (!banner) return null;
  return (
    <section aria-label={copy.label}>
      <Banner
        banner={banner}
        shell={shell}
        onDismiss={() => setDismissed((before) => [...before, banner.key])}
      />
    </section>
  );
}

const ICONS = { info: Clock, warn: TriangleAlert, bad: CircleAlert };

function Banner({
  banner: { platform, label, news },
  shell,
  onDismiss,
}: {
  banner: PlanBanner;
  shell: ShellView;
  onDismiss: () => void;
}) {
  const look = lookOf(news, shell);
  const Icon = ICONS[look.tone];
  const canPay = shell.member.isOwner && !shell.isRestricted;
  return (
    <div className={look.tone === "warn" ? "banner" : `banner banner-${look.tone}`}>
      <Icon aria-hidden />
      <p>
        <b className="medium">{label}:</b> <span>{look.text}</span>
      </p>
      <span className="banner__acts">
        {canPay && look.asksUs && (
          <Link className={buttonClass({ variant: "outline", size: "s" })} to="/contact">
            {look.action}
          </Link>
        )}
        {canPay && !look.asksUs && (
          <Link
            className={buttonClass({ variant: "outline", size: "s" })}
            to="/checkout"
            onClick={() => rememberCheckout(platform)}
          >
            {look.action}
          </Link>
        )}
        {look.canDismiss && (
          <IconButton label={copy.dismiss} onClick={onDismiss}>
            <X aria-hidden />
          </IconButton>
        )}
      </span>
    </div>
  );
}

function lookOf(news: PlanNews, { now, member: { timeZone } }: ShellView): Look {
  switch (news.kind) {
    case "trial":
      return { tone: "info", text: copy.trial(news.daysLeft), action: copy.subscribe, canDismiss: true };
    case "trial-ends-today":
      return { tone: "warn", text: copy.trialEndsToday, action: copy.subscribe, canDismiss: true };
    case "limit":
      return {
        tone: "warn",
        text: news.isTrial ? copy.limitTrial : copy.limit,
        action: news.isTrial ? copy.subscribe : copy.upgrade,
        canDismiss: true,
      };
    case "beyond": {
      const text = copy.beyond(news.used, news.limit);
      return { tone: "warn", text, action: copy.upgrade, canDismiss: false };
    }
    case "users-changed": {
      const text = copy.usersChanged(news.users, news.paid);
      return { tone: "info", text, action: copy.editSubscription, canDismiss: true };
    }
    case "users-beyond": {
      const text = copy.usersBeyond(news.users, news.most);
      return { tone: "warn", text, action: copy.contact, asksUs: true, canDismiss: false };
    }
    case "ends-soon": {
      const text = copy.endsSoon(dateTimeText(news.endsAt, timeZone, now));
      return { tone: "warn", text, action: copy.renew, canDismiss: false };
    }
    case "paused": {
      const text = copy.paused(news.isTrial, dateText(news.keptUntil, timeZone, now));
      return { tone: "bad", text, action: copy.subscribe, canDismiss: false };
    }
    case "removal-ahead": {
      const text = copy.removalAhead(dateText(news.keptUntil, timeZone, now));
      return { tone: "bad", text, action: copy.subscribe, canDismiss: false };
    }
    case "removed": {
      const text = copy.removed(dateText(news.keptUntil, timeZone, now));
      return { tone: "bad", text, action: copy.subscribe, canDismiss: false };
    }
    default:
      return news satisfies never;
  }
}
