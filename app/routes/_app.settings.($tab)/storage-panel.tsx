import { useSearchParams } from "@remix-run/react";
import { useEffect, useState } from "react";
import { lazyWhenOpen } from "#app/components/lazy-when-open.tsx";
import { NoticeCallout } from "#app/components/notice-callout.tsx";
import { notify } from "#app/components/toasts.ts";
import { settingsStorageCopy as copy } from "#app/copy/settings.ts";
import { useNow } from "#app/format/use-now.ts";
import type { UrlNotice } from "#app/session/url-notice.ts";
import { useShell } from "#app/shell/use-shell.ts";
import { Section } from "./section.tsx";

const StorageScreen = lazyWhenOpen(() => import("#app/storage/storage-screen.tsx"));

/**
 * The customer's own storage, loaded when the tab is opened. The storage's page redirects back here, and the outcome is
 * shown.
 */
export function StoragePanel({ isOpen, notice }: { isOpen: boolean; notice: UrlNotice | null }) {
  const { member, now: loadedAt } = useShell();
  const now = useNow(loadedAt, 60_000, null);
  const [search, setSearch] = useSearchParams();
  /* Kept after the message is removed from the URL. */
  const [failure, setFailure] = useState(notice);
  /* Fetches only in the browser, so it renders after the page. */
  const [isInBrowser, setIsInBrowser] = useState(false);
  useEffect(() => setIsInBrowser(true), []);
  const isConnected = isOpen && search.get("isCloudStorageConnected") === "true";
  useEffect(() => {
    if (!isConnected && notice === null) return;
    if (isConnected) notify(copy.connected);
    setFailure(notice);
    setSearch({}, { replace: true, preventScrollReset: true });
  }, [isConnected, notice, setSearch]);
  return (
    <Section title={copy.title} text={copy.text}>
      {failure && <NoticeCallout notice={failure} tone="bad" />}
      <StorageScreen isOpen={isOpen && isInBrowser} platform={null} timeZone={member.timeZone} now={now} />
    </Section>
  );
}
