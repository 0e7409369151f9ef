/** Profiles: a person's photo, and the data that every screen needs about a person first. */
export { addPhoto } from "./add-photo.ts";
export { openPhoto, type Photo } from "./open-photo.ts";
export { cardKey, findPersonCard, type PersonCard, toPersonCard } from "./person-card.ts";
export { getStartInfo, type StartInfo } from "./start-info.ts";
export { sweepPhotos } from "./sweep-photos.ts";
