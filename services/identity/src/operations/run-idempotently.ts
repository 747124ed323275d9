import { AppError, assertNever } from '@tollgate/core';
import {
  decodeAnswer,
  encodeAnswer,
  IDEMPOTENCY_LIFETIME_MS,
  type Idempotency,
} from '../domain/idempotency';
import { sha256Hex } from '../domain/key-digest';
import type { Dependencies } from './dependencies';

/** A creating request and how its effect is made or found again. */
export interface IdempotentWork<Answer> {
  /** Whose keys these are: an account id, or something as exact for callers without one. */
  readonly scope: string;
  /** What is done to what; the same key for another operation is a mismatch. */
  readonly operation: string;
  readonly idempotency: Idempotency;
  /** A new id for the effect, chosen before it happens. */
  newEffectId(): string;
  /** Makes the effect under the id. The answer is kept and must hold no secret. */
  effect(effectId: string): Promise<Answer>;
  /** The answer of an effect that an earlier, interrupted request made; undefined without one. */
  recall(effectId: string): Promise<Answer | undefined>;
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
export async function runIdempotently<Answer>(
  deps: Pick<Dependencies, 'clock' | 'digester' | 'idempotency' | 'logger'>,
  work: IdempotentWork<Answer>,
): Promise<IdempotentResult<Answer>> {
  const ownEffectId = work.newEffectId();
  const { key, bodyDigest } = work.idempotency;
  if (key === '') return { answer: await work.effect(ownEffectId), replayed: false };

  const now = deps.clock.now();
  const id = sha256Hex(`${work.scope}\n${key}`);
  const outcome = await deps.idempotency.claim({
    id,
    // Bodies hold passwords, which a digest without the pepper would let a reader guess.
    digest: deps.digester.derive('idempotency', `${work.operation}\n${bodyDigest}`),
    effectId: ownEffectId,
    claimedAt: now,
    expiresAt: now + IDEMPOTENCY_LIFETIME_MS,
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
      return { answer: decodeAnswer<Answer>(outcome.answer), replayed: true };
    case 'claimed':
      return finishClaim(deps, work, { id, effectId: outcome.effectId, ownEffectId });
    default:
      return assertNever(outcome);
  }
}

async function finishClaim<Answer>(
  deps: Pick<Dependencies, 'idempotency' | 'logger'>,
  work: IdempotentWork<Answer>,
  claim: { readonly id: string; readonly effectId: string; readonly ownEffectId: string },
): Promise<IdempotentResult<Answer>> {
  const { id, effectId } = claim;
  const note = (error: unknown) =>
    deps.logger.warn({ error }, 'the outcome of an idempotent request could not be noted');
  const takenOver = effectId !== claim.ownEffectId;
  const made = takenOver ? await work.recall(effectId) : undefined;
  if (made !== undefined) {
    await deps.idempotency.answer(id, encodeAnswer(made)).catch(note);
    return { answer: made, replayed: true };
  }
  try {
    const answer = await work.effect(effectId);
    await deps.idempotency.answer(id, encodeAnswer(answer)).catch(note);
    return { answer, replayed: false };
  } catch (error) {
    const refused = error instanceof AppError && error.definition.httpStatus < 500;
    const giveBack = refused ? deps.idempotency.release : deps.idempotency.abandon;
    await giveBack(id, effectId).catch(note);
    throw error;
  }
}
