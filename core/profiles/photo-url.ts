/** URL of a photo. Only people of the same organisation can open it. */
export function photoUrl(settings: { PUBLIC_URL: string }, id: string): string {
  return `${settings.PUBLIC_URL}/avatars/${id}`;
}

/** Key of a photo in its bucket, prefixed with the person's id so that all photos of a person can be listed. */
export function photoKey(userId: string, id: string): string {
  return `${userId}/${id}`;
}
