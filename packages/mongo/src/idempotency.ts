import {
  AppError,
  type Clock,
  createId,
  DAY_MS,
  type Idempotency,
  type Logger,
  sha256Hex,
} from '@tollgate/core';
import { retryContended } from './contention';

/** Of work that nobody repeats. */
export const NO_KEY: Idempotency = { key: '', bodyDigest: '' };

export interface IdempotencyOptions {
  readonly idempotencyClaims: IdempotencyStore;
  readonly clock: Clock;
  readonly logger: Logger;
  /**
   * The digests that an operation and its body are known by: the first is kept, the others are
   * those that replicas with an older secret kept. SHA-256, hex, unless given.
   */
  readonly digestsOf?: (request: string) => readonly [string, ...string[]];
}

/** A request with an effect, and how that is made or found again. */
export interface IdempotentWork<Answer extends object, EffectId extends string = string> {
  /** Whose keys these are, mostly an account; absent when the key itself says it. */
  readonly scope?: string;
  /** The operation and its object; the same key for another operation is a mismatch. */
  readonly operation: string;
  readonly idempotency: Idempotency;
  /** How long the work may take, milliseconds; 30,000 when absent. */
  readonly runningMsMax?: number;
  /**
   * A new id for what the effect makes, chosen before it happens. Left out where the work makes
   * nothing with an id, such as a change: then an id of the kind `effect` is used.
   */
  newEffectId?(): EffectId;
  /**
   * Makes the effect and writes its id with it. An overtaken process may come late: where that id
   * is there already, nothing changes. The answer is kept and must hold no secret.
   */
  effect(effectId: EffectId): Promise<Answer>;
  /** Looks for the answer of an effect that an earlier, interrupted request made; undefined without. */
  findEffect(effectId: EffectId): Promise<Answer | undefined>;
}

export interface IdempotentResult<Answer> {
  readonly answer: Answer;
  readonly replayed: boolean;
}

/** A claim names the effect before it happens, so that doing it twice is impossible. */
export interface IdempotencyClaim {
  /** A digest of the scope, where there is one, and the key. */
  readonly id: string;
  /** A digest of the operation and the body. */
  readonly digest: string;
  /** The id of what is made, chosen by the first request. */
  readonly effectId: string;
  /** When a request last began the work. */
  readonly claimedAtMs: number;
  /** How long from then nobody else may finish it. */
  readonly runningMsMax: number;
  readonly expiresAtMs: number;
}

/** What tells a claim's holder from others: whoever took it over did so at another time. */
export type HeldClaim = Pick<IdempotencyClaim, 'id' | 'effectId' | 'claimedAtMs'>;

/** A claim as it is stored: each request for it brings `runningMsMax` itself. */
export interface KeptClaim extends Omit<IdempotencyClaim, 'runningMsMax'> {
  /** Absent until the work is done. */
  readonly answer?: object;
}

/** Where claims are kept until they expire. It decides nothing; its writes are durable. */
export interface IdempotencyStore {
  /** False when a claim with its id is kept already. */
  insert(claim: IdempotencyClaim): Promise<boolean>;
  /** Also one whose time is over. */
  find(claimId: string): Promise<KeptClaim | undefined>;
  /**
   * Puts `next` in the place of `seen`; false when another request was faster. An answer goes with
   * the effect that it belongs to.
   */
  replace(seen: KeptClaim, next: IdempotencyClaim): Promise<boolean>;
  /** Keeps what the effect's request was answered, whoever holds the claim by now. */
  answer(claim: HeldClaim, answer: object): Promise<void>;
  /**
   * Forgets a claim whose effect was refused, so that a corrected request may use the key. Does
   * nothing when another request has taken it over.
   */
  release(claim: HeldClaim): Promise<void>;
  /**
   * Keeps a claim whose effect is uncertain as one of long ago: anybody may finish the work. Does
   * nothing when another request has taken it over.
   */
  leaveToAnybody(claim: HeldClaim): Promise<void>;
}

/** How long a key is remembered. */
const LIFETIME_MS = DAY_MS;
/** Longer than any call's deadline: afterwards nobody waits for the request, and another may finish. */
const RUNNING_MS_MAX = 30_000;
const CLAIM_ATTEMPTS_MAX = 3;

/**
 * Runs the work once for its key. The claim, with the id of the effect, is durable before the
 * effect; a process that dies or stands still between the two leaves a claim that the next request
 * finishes under the same id, and whoever comes too late finds that id there.
 */
export async function runIdempotently<Answer extends object, EffectId extends string = string>(
  options: IdempotencyOptions,
  work: IdempotentWork<Answer, EffectId>,
): Promise<IdempotentResult<Answer>> {
  // Work that does not name its ids has no kind of id that it could ask for.
  const ownEffectId = work.newEffectId?.() ?? (createId('effect') as string as EffectId);
  const { key, bodyDigest } = work.idempotency;
  if (key === '') return { answer: await work.effect(ownEffectId), replayed: false };

  const {
    idempotencyClaims: claims,
    clock,
    digestsOf = (request) => [sha256Hex(request)],
  } = options;
  const claimedAtMs = clock.now();
  const digests = digestsOf(`${work.operation}\n${bodyDigest}`);
  const wanted = {
    // No scope holds the separator.
    id: sha256Hex(work.scope === undefined ? key : `${work.scope}\n${key}`),
    digest: digests[0],
    effectId: ownEffectId,
    claimedAtMs,
    runningMsMax: work.runningMsMax ?? RUNNING_MS_MAX,
    expiresAtMs: claimedAtMs + LIFETIME_MS,
  };
  const claim = await obtainClaim(claims, wanted, digests);
  if (claim.answer !== undefined) return { answer: claim.answer as Answer, replayed: true };
  return finishWork(options, work, {
    ...claim,
    effectId: claim.effectId as EffectId,
    runningMsMax: wanted.runningMsMax,
    takenOver: claim.effectId !== ownEffectId,
  });
}

/** Answers a claim that is this request's to finish, or one that has its answer. */
function obtainClaim(
  store: IdempotencyStore,
  claim: IdempotencyClaim,
  digests: readonly string[],
): Promise<KeptClaim> {
  const failure = () => stillRunning(claim.runningMsMax);
  const attempt = async (): Promise<KeptClaim | undefined> => {
    if (await store.insert(claim)) return claim;
    const kept = await store.find(claim.id);
    if (kept === undefined) return undefined;
    // Stores remove what expired only now and then: the date decides.
    const expired = kept.expiresAtMs <= claim.claimedAtMs;
    if (!expired) {
      if (!digests.includes(kept.digest)) throw new AppError('IDEMPOTENCY_MISMATCH');
      if (kept.answer !== undefined) return kept;
      if (kept.claimedAtMs + claim.runningMsMax > claim.claimedAtMs) throw failure();
    }
    const { effectId, expiresAtMs } = expired ? claim : kept;
    const next = { ...claim, effectId, expiresAtMs };
    return (await store.replace(kept, next)) ? next : undefined;
  };
  return retryContended(attempt, { attemptsMax: CLAIM_ATTEMPTS_MAX, failure });
}

/** Once `runningMsMax` is over, a repetition may finish what was interrupted. */
function stillRunning(runningMsMax: number): AppError {
  return new AppError('CONFLICT', {
    publicMessage:
      'A request with this Idempotency-Key is still running, or was interrupted moments ago: try ' +
      `again after ${Math.ceil(runningMsMax / 1000)} seconds at most.`,
    retryable: true,
    retryAfterMs: 1000,
  });
}

/** The claim of the request at hand. */
interface OwnClaim<EffectId extends string> extends HeldClaim {
  readonly effectId: EffectId;
  readonly runningMsMax: number;
  /** The effect was named by an earlier request, which may have made it. */
  readonly takenOver: boolean;
}

async function finishWork<Answer extends object, EffectId extends string>(
  { idempotencyClaims: claims, clock, logger }: IdempotencyOptions,
  work: IdempotentWork<Answer, EffectId>,
  claim: OwnClaim<EffectId>,
): Promise<IdempotentResult<Answer>> {
  const { effectId } = claim;
  const warnUnkept = (error: unknown) =>
    logger.warn({ error }, 'the outcome of an idempotent request could not be kept');
  const findMade = async (): Promise<IdempotentResult<Answer> | undefined> => {
    const made = claim.takenOver ? await work.findEffect(effectId) : undefined;
    if (made === undefined) return undefined;
    await claims.answer(claim, made).catch(warnUnkept);
    return { answer: made, replayed: true };
  };
  /** Leaves the claim to anybody: whether the effect was made is not known. */
  const leave = async (error: unknown): Promise<never> => {
    await claims.leaveToAnybody(claim).catch(warnUnkept);
    throw error;
  };
  const found = await findMade().catch(leave);
  if (found !== undefined) return found;
  // A process may have stood still since its claim, and another one have done the work.
  if (clock.now() >= claim.claimedAtMs + claim.runningMsMax) {
    throw stillRunning(claim.runningMsMax);
  }
  try {
    const answer = await work.effect(effectId);
    await claims.answer(claim, answer).catch(warnUnkept);
    return { answer, replayed: false };
  } catch (error) {
    if (!(error instanceof AppError) || error.definition.httpStatus >= 500) return leave(error);
    // Who was overtaken may have made the effect after all, which is refused for that.
    const made = await findMade().catch((failure: unknown) => {
      warnUnkept(failure);
      return leave(error);
    });
    if (made !== undefined) return made;
    await claims.release(claim).catch(warnUnkept);
    throw error;
  }
}
