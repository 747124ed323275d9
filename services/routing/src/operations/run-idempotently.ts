import { createHash } from 'node:crypto';
import { AppError, assertNever, type Clock, type Logger } from '@tollgate/core';
import {
  IDEMPOTENCY_LIFETIME_MS,
  IDEMPOTENCY_RUNNING_MS,
  type Idempotency,
} from '../domain/idempotency';
import type { IdempotencyStore } from '../domain/ports';

/** What recognising a repeated request works with. */
export interface IdempotencyOptions {
  readonly idempotency: IdempotencyStore;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** A request with an effect, and how that is made or found again. */
export interface IdempotentWork<Answer extends object, EffectId extends string> {
  /** What is done to what; the same key for another operation is a mismatch. */
  readonly operation: string;
  readonly idempotency: Idempotency;
  /** How long the work may take, milliseconds; 30,000 when absent. */
  readonly runningMsMax?: number;
  /** A new id for the effect, chosen before it happens. */
  newEffectId(): EffectId;
  /** Makes the effect and writes its id with it. The answer is kept and must hold no secret. */
  effect(effectId: EffectId): Promise<Answer>;
  /** The answer of an effect that an earlier, interrupted request made; undefined without one. */
  recall(effectId: EffectId): Promise<Answer | undefined>;
}

export interface IdempotentResult<Answer> {
  readonly answer: Answer;
  readonly replayed: boolean;
}

/**
 * Runs the work once for its key. The claim, with the id of the effect, is durable before the
 * effect; a process that dies between the two leaves a claim that the next request finishes under
 * the same id, so there is never a second effect.
 */
export async function runIdempotently<Answer extends object, EffectId extends string>(
  options: IdempotencyOptions,
  work: IdempotentWork<Answer, EffectId>,
): Promise<IdempotentResult<Answer>> {
  const ownEffectId = work.newEffectId();
  const { key, bodyDigest } = work.idempotency;
  if (key === '') return { answer: await work.effect(ownEffectId), replayed: false };

  const nowMs = options.clock.now();
  const id = digestOf(key);
  const outcome = await options.idempotency.claim({
    id,
    digest: digestOf(`${work.operation}\n${bodyDigest}`),
    effectId: ownEffectId,
    claimedAtMs: nowMs,
    runsUntilMs: nowMs + (work.runningMsMax ?? IDEMPOTENCY_RUNNING_MS),
    expiresAtMs: nowMs + IDEMPOTENCY_LIFETIME_MS,
  });
  switch (outcome.state) {
    case 'mismatch':
      throw new AppError('IDEMPOTENCY_MISMATCH');
    case 'running':
      throw new AppError('CONFLICT', {
        publicMessage: 'A request with this Idempotency-Key is still running.',
        retryAfterMs: 1000,
      });
    case 'answered':
      return { answer: outcome.answer as Answer, replayed: true };
    case 'claimed':
      return finishClaim(options, work, {
        id,
        effectId: outcome.effectId as EffectId,
        takenOver: outcome.effectId !== ownEffectId,
      });
    default:
      return assertNever(outcome);
  }
}

async function finishClaim<Answer extends object, EffectId extends string>(
  { idempotency, logger }: IdempotencyOptions,
  work: IdempotentWork<Answer, EffectId>,
  claim: { readonly id: string; readonly effectId: EffectId; readonly takenOver: boolean },
): Promise<IdempotentResult<Answer>> {
  const { id, effectId } = claim;
  const note = (error: unknown) =>
    logger.warn({ error }, 'the outcome of an idempotent request could not be noted');
  const made = claim.takenOver ? await work.recall(effectId) : undefined;
  if (made !== undefined) {
    await idempotency.answer(id, made).catch(note);
    return { answer: made, replayed: true };
  }
  try {
    const answer = await work.effect(effectId);
    await idempotency.answer(id, answer).catch(note);
    return { answer, replayed: false };
  } catch (error) {
    const refused = error instanceof AppError && error.definition.httpStatus < 500;
    const giveBack = refused ? idempotency.release : idempotency.abandon;
    await giveBack(id, effectId).catch(note);
    throw error;
  }
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
