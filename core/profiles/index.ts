/** What people see and say of themselves: a photo, and what a screen must know about them first. */
export { addPhoto } from "./add-photo.ts";
export { openPhoto, type Photo } from "./open-photo.ts";
export { findPersonCard, type PersonCard } from "./person-card.ts";
export { getStartInfo, type StartInfo } from "./start-info.ts";
export { sweepPhotos } from "./sweep-photos.ts";
