import { nano, toCamelCase, toSnakeCase } from '@tollgate/core';
import type { JournalItem, Notice } from '../domain/journal';

type NoticeMember = bigint | number | string;

/** The members of a notice under the names of documents; what is undefined is absent. */
type NoticeMembers = Readonly<Record<string, NoticeMember>>;

/** A notice as it is stored in a journal, and in the outbox. */
export interface NoticeDocument {
  readonly no: number;
  readonly notice_seq: number;
  readonly at: number;
  readonly notice: NoticeMembers;
}

type NoticeItem = Extract<JournalItem, { kind: 'notice' }>;

export function toNoticeDocument({ no, noticeSeq, atMs, notice }: NoticeItem): NoticeDocument {
  return { no, notice_seq: noticeSeq, at: atMs, notice: toMembers(notice) };
}

export function fromNoticeDocument(document: NoticeDocument): NoticeItem {
  const { no, notice_seq: noticeSeq, at: atMs, notice } = document;
  return { kind: 'notice', no, noticeSeq, atMs, notice: fromMembers(notice) };
}

function toMembers(notice: Notice): NoticeMembers {
  const document: Record<string, NoticeMember> = {};
  for (const [name, value] of Object.entries<NoticeMember | undefined>(notice)) {
    if (value !== undefined) document[toSnakeCase(name)] = value;
  }
  return document;
}

function fromMembers(document: NoticeMembers): Notice {
  const members = Object.entries(document).map(([name, value]) => [
    toCamelCase(name),
    typeof value === 'bigint' ? nano(value) : value,
  ]);
  // Whoever stored the notice had every member that its type has.
  return Object.fromEntries(members) as Notice;
}
