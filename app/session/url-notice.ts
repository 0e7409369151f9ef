/** A message from the page's URL, either ours or foreign. */
export type UrlNotice = { text: string; isOurs: boolean };
