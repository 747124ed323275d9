import { randomFillSync } from 'node:crypto';
import { decodeTime, encodeTime } from 'ulid';

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
  replica: 'rpl',
  nonce: 'nce',
  auditEntry: 'aud',
  code: 'cod',
  codeBatch: 'cbt',
  effect: 'eff',
} as const;

/** The kinds of things that have ids. */
export type IdKind = keyof typeof ID_PREFIXES;

declare const brand: unique symbol;
/** An id that cannot be mixed up with an id of another kind: `acc_01J...`. */
export type Id<Kind extends IdKind> = string & { readonly [brand]: Kind };

export type AccountId = Id<'account'>;
export type ChannelId = Id<'channel'>;
export type RequestId = Id<'request'>;

/** Those of Crockford's base 32, by their value: no letter is taken for another or for a digit. */
export const CROCKFORD_DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** Every two digits: half as many steps as digit by digit. */
const PAIRS = Array.from(
  { length: 1024 },
  (_, value) => `${CROCKFORD_DIGITS[value >> 5]}${CROCKFORD_DIGITS[value & 31]}`,
);
const pairOf = (value: number): string => PAIRS[value & 1023] ?? '';

const TIME_LENGTH = 10;
/** Pairs of random digits in an id; after them stand two pairs that count within a millisecond. */
const RANDOM_PAIRS = 6;
/** Where counting begins is random, too, and leaves room for as many ids again. */
const COUNT_BEGINS_BELOW = 2 ** 19;
const COUNT_MAX = 2 ** 20 - 1;

// A call of the generator costs as much as an id.
const random = new Uint16Array(2048);
let randomUsed = random.length;

function nextRandom(): number {
  if (randomUsed === random.length) {
    randomFillSync(random);
    randomUsed = 0;
  }
  const value = random[randomUsed] ?? 0;
  randomUsed += 1;
  return value;
}

/** All but the last two digits of the time, which are the same for a second. */
let timeBlock = { index: -1, digits: '' };
let latestMs = 0;
let beginning = '';
let count = 0;

/** Monotonic within a process, so that ids made in one millisecond still sort by creation. */
function nextUlid(): string {
  const now = Date.now();
  if (now > latestMs) beginAt(now);
  // After the clock was set back we stay at the latest millisecond; its counts used up, at the next.
  else if (count === COUNT_MAX) beginAt(latestMs + 1);
  else count += 1;
  return beginning + pairOf(count >> 10) + pairOf(count);
}

function beginAt(epochMs: number): void {
  latestMs = epochMs;
  const index = Math.floor(epochMs / 1024);
  if (timeBlock.index !== index) {
    timeBlock = { index, digits: encodeTime(epochMs, TIME_LENGTH).slice(0, -2) };
  }
  beginning = timeBlock.digits + pairOf(epochMs % 1024);
  for (let pair = 0; pair < RANDOM_PAIRS; pair += 1) beginning += pairOf(nextRandom());
  count = ((nextRandom() << 16) | nextRandom()) & (COUNT_BEGINS_BELOW - 1);
}

/** A new id of the kind: its prefix, an underscore and a ULID. Sorts by creation time. */
export function createId<Kind extends IdKind>(kind: Kind): Id<Kind> {
  return `${ID_PREFIXES[kind]}_${nextUlid()}` as Id<Kind>;
}

/** Lower bound for a range of ids: every id made at `epochMs` or later sorts after it. */
export function firstIdAt(kind: IdKind, epochMs: number): string {
  return `${ID_PREFIXES[kind]}_${encodeTime(Math.max(0, epochMs), TIME_LENGTH)}`;
}

/** When an id of the kind was made, milliseconds since the epoch; undefined of any other text. */
export function idTimeMs(kind: IdKind, text: string): number | undefined {
  if (!isId(kind, text)) return undefined;
  const ulid = text.slice(ID_PREFIXES[kind].length + 1);
  // The first of ten digits holds three bits of the time.
  return ulid > LATEST ? undefined : decodeTime(ulid);
}

const LATEST = `7${'Z'.repeat(25)}`;
const ULID = /^[0-9A-HJKMNP-TV-Z]{26}$/;

/** True when the text is a well-formed id of the kind; says nothing about its existence. */
export function isId<Kind extends IdKind>(kind: Kind, text: string): text is Id<Kind> {
  const prefix = `${ID_PREFIXES[kind]}_`;
  return text.startsWith(prefix) && ULID.test(text.slice(prefix.length));
}

const PREFIX = /^[a-z]{3}_/;
const PREFIX_LENGTH = 4;

/** True when the text is formed as an id of some kind. */
export function isIdOfAnyKind(text: string): boolean {
  return PREFIX.test(text) && ULID.test(text.slice(PREFIX_LENGTH));
}

const IDENTIFIER = /^[\x21-\x7e]{1,128}$/;

/** A text that may be somebody's id, of whatever form: short, printable, without blanks. */
export function isIdentifier(text: string): boolean {
  return IDENTIFIER.test(text);
}
