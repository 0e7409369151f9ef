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
  const address = partPath(data, { path, shown: "1" });
  // The next page, card or version may show another picture in the same place.
  const [broken, setBroken] = useState<string | null>(null);
  if (broken === address) return null;
  return (
    <img
      key={address}
      className={className}
      src={address}
      alt={alt}
      loading="lazy"
      decoding="async"
      // It may have failed before the page was alive.
      ref={(image) => {
        if (image?.complete && image.naturalWidth === 0) setBroken(address);
      }}
      onError={() => setBroken(address)}
    />
  );
}
