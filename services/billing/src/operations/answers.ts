import {
  AppError,
  type Clock,
  DAY_MS,
  HOUR_MS,
  isCode,
  type Sealer,
  sha256Hex,
} from '@tollgate/core';
import { retryContended } from '@tollgate/mongo';
import type { AnnouncedRequest, AnnouncedRequestState } from '../domain/announced-request';
import type { ChargeEntry } from '../domain/ledger-entry';
import type { AnswerStore } from '../domain/ports';

/** A request whose answer shall be kept. */
export interface Announcement {
  readonly accountId: string;
  readonly keyId: string;
  /** The Idempotency-Key; empty when only the answer is fetched by its id. */
  readonly key: string;
  /** The same for equal requests. */
  readonly digest: string;
  readonly requestId: string;
  /** How long it may take; milliseconds. */
  readonly runningMsMax: number;
  /** In what form its answer is sent; not looked at. */
  readonly form: Buffer;
}

/** What became of an announcement. */
export type AnnounceOutcome =
  /** The request is to be answered now. */
  | { readonly kind: 'announced' }
  /** An equal request got this answer already. */
  | { readonly kind: 'answered'; readonly requestId: string; readonly answer: Buffer };

/** Answers that are kept for a day, each for the API key that asked for it. */
export interface AnswerOperations {
  /**
   * Rejects with IDEMPOTENCY_MISMATCH when the Idempotency-Key stands for another request, with
   * CONFLICT while an equal one runs or when its answer is lost, and with RATE_LIMIT_EXCEEDED when
   * the account has no room left.
   */
  announce(request: Announcement): Promise<AnnounceOutcome>;
  /** Keeps an answer; undefined for one that was too large. */
  keep(accountId: string, requestId: string, answer: Buffer | undefined): Promise<void>;
  drop(accountId: string, requestId: string): Promise<void>;
  /** Rejects with NOT_FOUND, and with CONFLICT while it is made. */
  get(
    accountId: string,
    keyId: string,
    requestId: string,
  ): Promise<{ readonly form: Buffer; readonly answer: Buffer }>;
}

interface Charge {
  readonly record: Pick<ChargeEntry['record'], 'reason' | 'source'>;
}

interface Dependencies {
  readonly answers: AnswerStore;
  readonly sealer: Sealer;
  /** The ledger's charge for a request; rejects with NOT_FOUND. */
  readonly findCharge: (accountId: string, requestId: string) => Promise<Charge>;
  readonly clock: Clock;
  /** The most bytes of requests and answers that are kept for an account within a day, sealed. */
  readonly accountBytesMax: number;
}

const ATTEMPTS_MAX = 3;
/** An announcement that comes later than this after it was dropped is not expected. */
const LATE_MS = HOUR_MS;
/** The ledger is not read for younger requests: no process that died is back so soon. */
const LOOK_AFTER_MS = 5000;
const DAY_HOURS = DAY_MS / HOUR_MS;

export function createAnswerOperations(deps: Dependencies): AnswerOperations {
  const { answers, clock, sealer } = deps;
  return {
    announce: (request) =>
      retryContended(() => announceOnce(deps, request), {
        attemptsMax: ATTEMPTS_MAX,
        failure: () => stillRunning(),
      }),
    async keep(accountId, requestId, answer) {
      const sealed =
        answer === undefined
          ? undefined
          : sealer.seal(answer.toString('base64'), answerRecord(requestId));
      if (!(await answers.end(accountId, requestId, sealed)) || sealed === undefined) return;
      await answers.countBytes(accountId, hourOf(clock.now()), sealed.length);
    },
    async drop(accountId, requestId) {
      let dropped = await answers.drop(accountId, requestId);
      if (dropped === undefined) {
        // Its announcement may still be on its way, and would hold its key.
        if (await answers.refuse(accountId, requestId, clock.now() + LATE_MS)) return;
        dropped = await answers.drop(accountId, requestId);
        if (dropped === undefined) return;
      }
      await answers.countBytes(accountId, hourOf(clock.now()), -dropped.request.length);
    },
    async get(accountId, keyId, requestId) {
      const known = await answers.findByRequest(accountId, requestId);
      if (known === undefined || known.keyId !== keyId || known.expiresAtMs <= clock.now()) {
        throw new AppError('NOT_FOUND', { publicMessage: 'No answer of this request is kept.' });
      }
      if (known.answer !== undefined) {
        const { form } = openRequest(deps, known);
        return { form, answer: openAnswer(deps, known.requestId, known.answer) };
      }
      const now = clock.now();
      if (known.ended || known.runsUntilAtMs <= now || (await wasCutOff(deps, known, now))) {
        throw notKept(requestId);
      }
      throw stillRunning(`Request ${requestId} is still being answered.`);
    },
  };
}

/** One try of many: undefined when another request came in between. */
async function announceOnce(
  deps: Dependencies,
  request: Announcement,
): Promise<AnnounceOutcome | undefined> {
  const { answers, clock } = deps;
  const now = clock.now();
  const next = toAnnouncedRequest(deps, request, now);
  const known = await answers.find(next.id);
  if (known === undefined) {
    const isWritten = await writeWithRoom(deps, next, now, () => answers.insert(next));
    return isWritten ? { kind: 'announced' } : undefined;
  }
  // The store removes what expired only now and then: the date decides.
  if (known.expiresAtMs > now) {
    if (openRequest(deps, known).digest !== request.digest)
      throw new AppError('IDEMPOTENCY_MISMATCH');
    const { requestId, answer } = known;
    if (answer !== undefined) {
      return { kind: 'answered', requestId, answer: openAnswer(deps, requestId, answer) };
    }
    if (!known.ended && known.runsUntilAtMs > now) {
      throw (await wasCutOff(deps, known, now)) ? lost(known) : stillRunning();
    }
    if (!(await wasUndelivered(deps, known))) throw lost(known);
  }
  const isWritten = await writeWithRoom(deps, next, now, () => answers.replace(known, next));
  return isWritten ? { kind: 'announced' } : undefined;
}

function toAnnouncedRequest(
  { sealer }: Dependencies,
  request: Announcement,
  now: number,
): AnnouncedRequest {
  const { accountId, keyId, key, requestId, digest, form } = request;
  // `writing` is the name of the form in what is stored.
  const text = JSON.stringify({ digest, writing: form.toString('base64') });
  return {
    accountId,
    keyId,
    requestId,
    // No id holds the separator.
    id: key === '' ? requestId : sha256Hex(`${accountId}\n${keyId}\n${key}`),
    runsUntilAtMs: now + request.runningMsMax,
    expiresAtMs: now + DAY_MS,
    request: sealer.seal(text, requestRecord(requestId)),
  };
}

/**
 * A request of a process that died is made again only when the ledger says that nothing of it was
 * delivered. Without an entry it may still be charged.
 */
async function wasUndelivered(deps: Dependencies, known: AnnouncedRequestState): Promise<boolean> {
  if (known.ended) return false;
  const charge = await chargeOf(deps, known);
  return charge !== undefined && !isDelivered(charge);
}

/** The amount does not tell: an answer may cost nothing, or be absorbed. */
function isDelivered({ record }: Charge): boolean {
  return record.source !== 'none';
}

/**
 * The process died after it had delivered a part, which is settled already. One that delivered
 * nothing may be made at another replica meanwhile.
 */
async function wasCutOff(
  deps: Dependencies,
  known: AnnouncedRequestState,
  now: number,
): Promise<boolean> {
  if (now - (known.expiresAtMs - DAY_MS) < LOOK_AFTER_MS) return false;
  const charge = await chargeOf(deps, known);
  return charge?.record.reason === 'crash' && isDelivered(charge);
}

async function chargeOf(
  { findCharge }: Dependencies,
  { accountId, requestId }: AnnouncedRequestState,
): Promise<Charge | undefined> {
  try {
    return await findCharge(accountId, requestId);
  } catch (error) {
    if (isCode(error, 'NOT_FOUND')) return undefined;
    throw error;
  }
}

/**
 * False when another request came in between. Its bytes are counted before the room is measured, so
 * that requests that come together see one another, and are taken back when it is not written.
 */
async function writeWithRoom(
  { answers, accountBytesMax }: Dependencies,
  next: AnnouncedRequest,
  now: number,
  write: () => Promise<boolean>,
): Promise<boolean> {
  const { accountId } = next;
  const [hour, own] = [hourOf(now), next.request.length];
  await answers.countBytes(accountId, hour, own);
  const others = (await answers.bytesSince(accountId, hour - DAY_HOURS)) - own;
  const full = others >= accountBytesMax;
  // When the store fails it may be written all the same, and stays counted.
  if (!full && (await write())) return true;
  await answers.countBytes(accountId, hour, -own);
  if (full) throw noRoom();
  return false;
}

function noRoom(): AppError {
  return new AppError('RATE_LIMIT_EXCEEDED', {
    publicMessage:
      'The answers that are kept for this account have no room left today. Send the request ' +
      'without Idempotency-Key and X-Tollgate-On-Disconnect, or wait.',
    retryAfterMs: HOUR_MS,
    retryable: false,
  });
}

const FIRST_IS_RUNNING = 'The first request with this Idempotency-Key is still being answered.';

function stillRunning(publicMessage = FIRST_IS_RUNNING): AppError {
  return new AppError('CONFLICT', {
    publicMessage,
    retryAfterMs: 1000,
    retryable: true,
  });
}

/** Told to who fetches an answer by its id, with an Idempotency-Key or without one. */
function notKept(requestId: string): AppError {
  return new AppError('CONFLICT', {
    publicMessage:
      `Request ${requestId} ended and its answer was not kept. It may have been charged: its ` +
      'receipt says so.',
  });
}

/** Told to who sends a request again under its Idempotency-Key. */
function lost({ requestId }: AnnouncedRequestState): AppError {
  return new AppError('CONFLICT', {
    publicMessage:
      `Request ${requestId} ended and its answer was not kept. It is not sent again under this ` +
      'Idempotency-Key, because it may have been charged: its receipt says so. Use another key.',
  });
}

function openRequest({ sealer }: Dependencies, { request, requestId }: AnnouncedRequestState) {
  const text = sealer.open(request, requestRecord(requestId));
  const { digest, writing } = JSON.parse(text) as { digest: string; writing: string };
  return { digest, form: Buffer.from(writing, 'base64') };
}

function openAnswer({ sealer }: Dependencies, requestId: string, sealed: string): Buffer {
  return Buffer.from(sealer.open(sealed, answerRecord(requestId)), 'base64');
}

// Apart, so that neither opens in the place of the other.
const requestRecord = (requestId: string) => `${requestId}:request`;
const answerRecord = (requestId: string) => `${requestId}:answer`;

function hourOf(timeMs: number): number {
  return Math.floor(timeMs / HOUR_MS);
}
