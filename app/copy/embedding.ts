/** Sentences of our pages inside a platform's frame. */
export const frameCopy = {
  label: (platform: string) => `Inside ${platform}`,
  attachments: (platform: string) =>
    `You see Holdfast inside ${platform}. The backup of attachments needs an authorisation on the main website: open it in a new tab.`,
  open: "Open in a new tab",
  opening: "Opening Holdfast",
  refused: "Holdfast could not be opened here. Reload this page, or open Holdfast in a new tab.",
  noCookies:
    "This browser keeps no cookies in frames, so you cannot stay signed in here. Open Holdfast in a new tab.",
};
