import type { ReactNode } from "react";
import { PageHeader } from "#app/components/page-header.tsx";
import { settingsCopy as copy } from "#app/copy/settings.ts";
import type { UrlNotice } from "#app/session/url-notice.ts";
import { DetailsPanel } from "./details-panel.tsx";
import { PaymentPanel } from "./payment-panel.tsx";
import { ReportingPanel } from "./reporting-panel.tsx";
import { SecurityPanel } from "./security-panel.tsx";
import { useSettings } from "./settings-context.tsx";
import { StoragePanel } from "./storage-panel.tsx";
import { TabBar } from "./tab-bar.tsx";
import { type Tab, visibleTabs } from "./tabs.ts";
import { UsersPanel } from "./users-panel.tsx";
import type { InvitedUsers, WirePreferences } from "./wire-types.ts";

/** The tabs that the user may see. All panels are in the document; one is visible (spec A-158). */
export function SettingsPage({
  tab,
  users,
  preferences,
  notice,
}: {
  tab: Tab;
  users: InvitedUsers | null;
  preferences: WirePreferences;
  notice: UrlNotice | null;
}) {
  const tabs = visibleTabs(useSettings().me);
  const panels: Record<Tab, ReactNode> = {
    details: <DetailsPanel />,
    security: <SecurityPanel />,
    payment: <PaymentPanel />,
    storage: <StoragePanel isOpen={tab === "storage"} notice={tab === "storage" ? notice : null} />,
    users: <UsersPanel loaded={users} />,
    reporting: <ReportingPanel loaded={preferences} />,
  };
  return (
    <>
      <PageHeader title={copy.title} />
      <TabBar tabs={tabs} tab={tab} />
      {tabs.map((each) => (
        <div
          key={each}
          className="settings-panel"
          role="tabpanel"
          id={`panel-${each}`}
          aria-labelledby={`tab-${each}`}
          hidden={each !== tab}
        >
          {panels[each]}
        </div>
      ))}
    </>
  );
}
