import { useEffect, useState } from "react";

/** The keys that open the palette, as this machine's keyboard names them. */
export function PaletteKey() {
  const [isMac, setIsMac] = useState(false);
  useEffect(() => setIsMac(/Mac|iP(hone|ad|od)/.test(navigator.platform)), []);
  return <kbd className="kbd palette-key">{isMac ? "⌘ K" : "Ctrl K"}</kbd>;
}
