import { randomFillSync } from 'node:crypto';
import { encodeTime, monotonicFactory } from 'ulid';

/** Prefixes say what an id names wherever it shows up: in a log, a support ticket, a URL. */
export const ID_PREFIXES = {
  account: 'acc',
  user: 'usr',
  apiKey: 'key',
  channel: 'chn',
  webhook: 'whk',
  delivery: 'dlv',
  request: 'req',
  event: 'evt',
  spool: 'spl',
  session: 'ses',
  gateway: 'gtw',
  auditEntry: 'aud',
  code: 'cod',
  codeBatch: 'cbt',
} as const;

/** What an id can name. */
export type IdKind = keyof typeof ID_PREFIXES;

declare const brand: unique symbol;
/** An id that cannot be mixed up with an id of another kind: `acc_01J...`. */
export type Id<Kind extends IdKind> = string & { readonly [brand]: Kind };

export type AccountId = Id<'account'>;
export type ChannelId = Id<'channel'>;
export type RequestId = Id<'request'>;

const RANDOM_BYTES = 4096;
const BYTE_VALUES = 256;
const random = new Uint8Array(RANDOM_BYTES);
let randomUsed = RANDOM_BYTES;

/** A number in [0, 1) with eight random bits. A call of the generator costs as much as an id. */
function nextRandom(): number {
  if (randomUsed === RANDOM_BYTES) {
    randomFillSync(random);
    randomUsed = 0;
  }
  const byte = random[randomUsed] ?? 0;
  randomUsed += 1;
  return byte / BYTE_VALUES;
}

// Monotonic within a process, so that ids made in one millisecond still sort by creation.
const nextUlid = monotonicFactory(nextRandom);

/** A new id of the kind: its prefix, an underscore and a ULID. Sorts by creation time. */
export function createId<Kind extends IdKind>(kind: Kind): Id<Kind> {
  return `${ID_PREFIXES[kind]}_${nextUlid()}` as Id<Kind>;
}

const TIME_LENGTH = 10;

/** Lower bound for a range of ids: every id made at `epochMs` or later sorts after it. */
export function firstIdAt(kind: IdKind, epochMs: number): string {
  return `${ID_PREFIXES[kind]}_${encodeTime(Math.max(0, epochMs), TIME_LENGTH)}`;
}

const ULID = /^[0-9A-HJKMNP-TV-Z]{26}$/;

/** True when the text is a well-formed id of the kind; says nothing about its existence. */
export function isId<Kind extends IdKind>(kind: Kind, text: string): text is Id<Kind> {
  const prefix = `${ID_PREFIXES[kind]}_`;
  return text.startsWith(prefix) && ULID.test(text.slice(prefix.length));
}
