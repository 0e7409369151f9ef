/** Address of a photo; it opens for people of the same organisation only. */
export function photoUrl(settings: { PUBLIC_URL: string }, id: string): string {
  return `${settings.PUBLIC_URL}/avatars/${id}`;
}

/** Where a photo lies in its bucket: below its person, so that all of them can be found with the person. */
export function photoKey(userId: string, id: string): string {
  return `${userId}/${id}`;
}
