import {
  AppError,
  CROCKFORD_DIGITS,
  codeClaimId,
  ID_PREFIXES,
  type Nano,
  sha256Hex,
} from '@tollgate/core';
import type { Claim } from './claims';

/** A code that gives an amount of credit to the account that redeems it first. */
export interface Code {
  readonly id: string;
  readonly batchId: string;
  /** SHA-256 of the text, hex; the text has 100 random bits, so that it needs no pepper. */
  readonly digest: string;
  /** The last characters of the text, for people. */
  readonly preview: string;
  /** More than 0. */
  readonly amount: Nano;
  readonly note: string;
  /** Milliseconds since the epoch; undefined when it does not expire. */
  readonly expiresAtMs: number | undefined;
  readonly createdAtMs: number;
  /** Who made it, where that is known. */
  readonly createdBy?: string | undefined;
}

export type CodeStatus = 'unused' | 'redeemed' | 'revoked' | 'expired';

/** The members that all codes of a batch have in common. */
export type CodeBatch = Pick<
  Code,
  'amount' | 'batchId' | 'createdAtMs' | 'createdBy' | 'expiresAtMs' | 'note'
>;

const LENGTH = 20;
const GROUP = /.{4}/g;
const PREVIEW_LENGTH = 4;
const TEXT = new RegExp(`^TG[${CROCKFORD_DIGITS}]{${LENGTH}}$`);

/**
 * A new code and the text that redeems it, such as `TG-4Z7K-...`, told once. Its id follows from the
 * batch and its place there: when two processes make one batch, the second finds its ids taken.
 */
export function createCode(
  batch: CodeBatch,
  place: number,
  randomBytes: (count: number) => Uint8Array,
): { readonly code: Code; readonly text: string } {
  // 256 is a multiple of 32, so that no character is likelier than another.
  const characters = [...randomBytes(LENGTH)].map(
    (byte) => CROCKFORD_DIGITS[byte % CROCKFORD_DIGITS.length],
  );
  const secret = characters.join('');
  const code: Code = {
    ...batch,
    id: codeIdAt(batch.batchId, place),
    digest: sha256Hex(`TG${secret}`),
    preview: secret.slice(-PREVIEW_LENGTH),
  };
  return { code, text: ['TG', ...(secret.match(GROUP) ?? [])].join('-') };
}

const TIME_LENGTH = 10;
/** Two characters, which is enough for 1,024 places. */
const PLACE_LENGTH = 2;

/** The time and the last random characters of the batch's id, then the place. */
function codeIdAt(batchId: string, place: number): string {
  const ulid = batchId.slice(batchId.indexOf('_') + 1);
  const inBatch = ulid.slice(0, TIME_LENGTH) + ulid.slice(TIME_LENGTH + PLACE_LENGTH);
  const [high, low] = [
    Math.floor(place / CROCKFORD_DIGITS.length),
    place % CROCKFORD_DIGITS.length,
  ];
  return `${ID_PREFIXES.code}_${inBatch}${CROCKFORD_DIGITS[high]}${CROCKFORD_DIGITS[low]}`;
}

/** The last characters as codes have them, of what somebody read out; empty for none. */
export function previewOf(typed: string): string {
  return canonicalOf(typed).slice(-PREVIEW_LENGTH);
}

/** Letters that look like digits are digits. */
function canonicalOf(typed: string): string {
  return typed.toUpperCase().replace(/[\s-]/g, '').replace(/O/g, '0').replace(/[IL]/g, '1');
}

/** The digest of a text as somebody typed it; undefined when it cannot be a code. */
export function codeDigest(text: string): string | undefined {
  const canonical = canonicalOf(text);
  return TEXT.test(canonical) ? sha256Hex(canonical) : undefined;
}

/** The state of a code, by the claim that is kept for it. */
export function codeStatusOf(code: Code, claim: Claim | undefined, now: number): CodeStatus {
  if (claim !== undefined) return claim.accountId === undefined ? 'revoked' : 'redeemed';
  return isExpired(code, now) ? 'expired' : 'unused';
}

export function isExpired({ expiresAtMs }: Code, now: number): boolean {
  return expiresAtMs !== undefined && expiresAtMs <= now;
}

/** The claim of an account on the code, or of nobody where it is revoked. */
export function claimOnCode<AccountId extends string | undefined>(
  code: Pick<Code, 'id' | 'amount' | 'note'>,
  accountId: AccountId,
  claimedAtMs: number,
  actorId: string | undefined,
): Claim & { readonly accountId: AccountId } {
  const note = code.note === '' ? `Code ${code.id}` : `Code ${code.id}: ${code.note}`;
  return { id: codeClaimId(code.id), accountId, amount: code.amount, note, claimedAtMs, actorId };
}

/** One answer for every code that gives nothing, so that a guess learns nothing from it. */
export function uselessCode(): AppError {
  return new AppError('NOT_FOUND', {
    param: 'code',
    publicMessage: 'This code is wrong, was used or revoked before, or is over.',
  });
}
