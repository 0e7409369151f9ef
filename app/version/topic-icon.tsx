import {
  CalendarDays,
  CircleDot,
  GitBranch,
  GitMerge,
  Link2,
  ListChecks,
  type LucideIcon,
  MoveRight,
  Paperclip,
  Pencil,
  Tag,
  UserRound,
} from "lucide-react";
import type { EventTopic } from "#connectors/contract/note.ts";

const ICONS: Readonly<Record<EventTopic, LucideIcon>> = {
  label: Tag,
  person: UserRound,
  state: CircleDot,
  merge: GitMerge,
  branch: GitBranch,
  link: Link2,
  text: Pencil,
  date: CalendarDays,
  file: Paperclip,
  check: ListChecks,
  move: MoveRight,
};

/** The icon of an event. Its sentence says the same, so it has no words. */
export function TopicIcon({ topic }: { topic: EventTopic | undefined }) {
  const Icon = topic && ICONS[topic];
  return <span className="thread__topic">{Icon && <Icon className="icon-s" aria-hidden />}</span>;
}
