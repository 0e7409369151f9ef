/** A message from the page's URL, either ours or foreign. */
export type Told = { text: string; isOurs: boolean };
