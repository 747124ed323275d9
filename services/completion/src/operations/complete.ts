import type { Nano } from '@tollgate/core';
import { aborted } from '../domain/vendor-failures';
import { endRun, failRun } from './ending';
import type { AnswerHead, AnswerUsage, CompletionRequest } from './request';
import { Run, type RunDependencies } from './run';

/** A whole answer; its record is durable. */
export interface CompletionAnswer {
  readonly head: AnswerHead;
  readonly choices: Buffer;
  readonly usage: AnswerUsage;
  readonly amount: Nano;
  /** To be called when it has left. */
  readonly release: () => void;
}

/** Answers in one piece. Rejects with the AppError that the client shall see. */
export async function complete(
  deps: RunDependencies,
  request: CompletionRequest,
): Promise<CompletionAnswer> {
  const run = await Run.open(deps, request, false);
  let release = () => {};
  try {
    const completion = await run.callVendors((call, signal) => deps.vendors.complete(call, signal));
    release = completion.release ?? release;
    run.deliveredText.add(completion.text);
    await run.begun;
    const { record, usage } = await endRun(deps, run, {
      reason: completion.finishReason,
      status: 'succeeded',
      errorCode: undefined,
      usage: completion.usage,
      partUsage: completion.partUsage,
      mayHaveWorked: true,
      isDelivered: true,
      cut: false,
    });
    // Stopped before it was counted: its record says that nobody gets it.
    if (record.status === 'failed') throw aborted(true);
    return { head: run.head, choices: completion.choices, usage, amount: record.amount, release };
  } catch (error) {
    release();
    throw await failRun(deps, run, error);
  }
}
