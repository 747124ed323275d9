import type { Nano } from '@tollgate/core';
import { aborted } from '../domain/vendor-failures';
import { endReasonOf } from './ending';
import type { AnswerHead, AnswerUsage, CompletionRequest } from './request';
import { Run, type RunDependencies } from './run';

/** A whole answer; its record is durable. */
export interface CompletionAnswer {
  readonly head: AnswerHead;
  readonly choices: Buffer;
  readonly usage: AnswerUsage;
  readonly amount: Nano;
}

/** Answers in one piece. Rejects with the AppError that the caller shall see. */
export async function complete(
  deps: RunDependencies,
  request: CompletionRequest,
): Promise<CompletionAnswer> {
  const run = await Run.open(deps, request, false);
  const { signal } = run.controller;
  try {
    const completion = await run.attempt((call) => deps.vendors.complete(call, signal));
    run.delivered.add(completion.text);
    await run.begun;
    const delivered = run.stopReason === undefined;
    const stopped = endReasonOf(run.stopReason, undefined, true);
    const { entry, usage } = await run.end({
      reason: delivered ? completion.finishReason : stopped,
      status: delivered ? 'succeeded' : 'failed',
      errorCode: delivered ? null : run.failureOf(undefined).code,
      usage: completion.usage,
      delivered,
      cut: false,
    });
    if (!delivered) throw run.failureOf(aborted());
    return { head: run.head, choices: completion.choices, usage, amount: entry.amount };
  } catch (error) {
    throw await run.fail(error);
  }
}
