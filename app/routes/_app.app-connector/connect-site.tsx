import { useNavigate } from "@remix-run/react";
import { useState } from "react";
import { callApi } from "#app/api/call-api.ts";
import { useRequest } from "#app/api/use-request.ts";
import { Button } from "#app/components/button.tsx";
import { Callout } from "#app/components/callout.tsx";
import { accountCopy } from "#app/copy/accounts.ts";
import { askForCode } from "#app/embedding/enter-frame.ts";
import { frameSurroundings } from "#app/embedding/frame-surroundings.ts";
import { useFrame } from "#app/embedding/use-frame.ts";
import { useRefresh } from "#app/live/use-refresh.tsx";
import type { AuthMethod, PlatformDescriptor } from "#connectors/contract/descriptor.ts";
import { descriptors } from "#connectors/registry/descriptors.generated.ts";
import { accountPath } from "./account-path.ts";

const copy = accountCopy.site;

/** The method that the app around our frame gives for this platform; null outside of its frame. */
export function useSiteMethod(platform: string): AuthMethod | null {
  const frame = useFrame();
  if (frame?.platform !== platform) return null;
  return descriptorOf(platform)?.authMethods?.find(({ isBrought }) => isBrought) ?? null;
}

const descriptorOf = (platform: string): PlatformDescriptor | undefined =>
  descriptors.find(({ id }) => id === platform);

/** Connects the site around the frame by the app that is installed there. The platform is asked who administers it. */
export function ConnectSite({ platform, isSmall = false }: { platform: string; isSmall?: boolean }) {
  const [reason, setReason] = useState<string | null>(null);
  const { isBusy, refusal, send } = useRequest();
  const method = useSiteMethod(platform);
  const navigate = useNavigate();
  const refresh = useRefresh();
  const connect = () =>
    send(async () => {
      setReason(null);
      const asked = await askForCode(frameSurroundings(), { connects: true });
      if (asked.kind === "refused") return setReason(asked.reason ?? copy.refused);
      const { id } = (await callApi("POST identity/host/connect", asked.code)).result;
      navigate(accountPath(platform, id));
      refresh();
    });
  return (
    <div className="stack">
      {(refusal ?? reason) && <Callout tone="bad">{refusal ?? reason}</Callout>}
      <Button
        size={isSmall ? "s" : "l"}
        variant={isSmall ? "outline" : "solid"}
        isBusy={isBusy}
        onClick={() => void connect()}
      >
        {copy.act}
      </Button>
      {!isSmall && (
        <p className="meta">
          {method?.text} {copy.text(descriptorOf(platform)?.label ?? "")}
        </p>
      )}
    </div>
  );
}
