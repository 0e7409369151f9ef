import { useState } from "react";
import { partPath, type VersionRef } from "./address.ts";

/** A picture of the version. What turns out to be no picture is not shown. */
export function PartPicture({
  data,
  path,
  alt = "",
  className,
}: {
  data: VersionRef;
  path: string;
  alt?: string;
  className?: string;
}) {
  const [isBroken, setIsBroken] = useState(false);
  if (isBroken) return null;
  return (
    <img
      className={className}
      src={partPath(data, { path, shown: "1" })}
      alt={alt}
      loading="lazy"
      decoding="async"
      // It may have failed before the page was alive.
      ref={(image) => {
        if (image?.complete && image.naturalWidth === 0) setIsBroken(true);
      }}
      onError={() => setIsBroken(true)}
    />
  );
}
