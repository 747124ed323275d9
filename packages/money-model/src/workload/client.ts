import {
  type CompletionAnswer,
  type CompletionRequest,
  complete,
  type StreamOutput,
  streamCompletion,
} from '@tollgate/completion/model-api';
import { toAppError } from '@tollgate/core';
import type { Invariants } from '../check/invariants';
import type { CompletionInstance } from '../world/completion-instance';
import type { Scheduler } from '../world/scheduler';
import { lastScriptOf, type ModelRequest, membersOf } from './workload';

const SLOW_READER_CHANCE = 0.05;
const SLOW_READER_MS = 400;

function toCompletionRequest(request: ModelRequest, signal: AbortSignal): CompletionRequest {
  const { accountId, keyId, budget, fallback } = request;
  return {
    requestId: request.requestId,
    clientRequestId: request.clientRequestId,
    caller: {
      accountId,
      keyId,
      budget,
      userId: undefined,
      operator: false,
      models: [],
      accountModels: [],
      discount: request.discount,
      keyGroups: [],
      grantedGroups: [],
    },
    model: request.model,
    messages: request.messages,
    messageCount: 1,
    fallbackModels: fallback === undefined ? [] : [fallback],
    media: { bytes: 0, images: request.asks === 'image' ? 1 : 0, files: 0 },
    parameters: {
      temperature: undefined,
      topP: undefined,
      stop: [],
      presencePenalty: undefined,
      frequencyPenalty: undefined,
      seed: undefined,
      user: '',
      capabilityMembers: membersOf(request),
    },
    maxTokens: request.maxTokens,
    capabilities: [],
    capabilityParam: '',
    choices: request.choices,
    embedding: request.asks === 'vectors' ? { dimensions: undefined, inputs: 1 } : undefined,
    costMax: request.costMax,
    deadlineMs: request.deadlineMs,
    signal,
  };
}

/** The client's end of a stream: notes what arrives, and is slow now and then. */
function createOutput(
  request: ModelRequest,
  scheduler: Scheduler,
  invariants: Invariants,
): StreamOutput {
  const { observed } = request;
  let chunks = 0;
  return {
    head: () => invariants.beginsToAnswer(request),
    chunk(choices) {
      invariants.beginsToAnswer(request);
      for (const _ of choices) {
        observed.delivered += lastScriptOf(request)?.deltas[chunks] ?? 0;
        chunks += 1;
      }
      return scheduler.isCalm || !scheduler.random.chance(SLOW_READER_CHANCE);
    },
    drained: () =>
      new Promise((resolve) => {
        scheduler.after(undefined, SLOW_READER_MS, resolve);
      }),
    end(_usage, amount, failure) {
      if (failure === undefined) invariants.ends(request, { kind: 'answered', amount });
      else invariants.ends(request, { kind: 'cut', amount, code: failure.code });
    },
  };
}

/** Sends a request to an instance and notes how it ends for the client. */
export function sendRequest(
  instance: CompletionInstance,
  request: ModelRequest,
  scheduler: Scheduler,
  invariants: Invariants,
): Promise<void> {
  const gone = new AbortController();
  const { leavesAfterMs, observed } = request;
  observed.sentTo = { process: instance.process, spoolId: instance.spool.spoolId };
  if (leavesAfterMs !== undefined) {
    scheduler.after(instance.process, leavesAfterMs, () => gone.abort());
  }
  const input = instance.hear(toCompletionRequest(request, gone.signal));
  const onFailure = (error: unknown) => {
    const kind = observed.attempts > 0 ? 'failed' : 'refused';
    invariants.ends(request, { kind, code: toAppError(error).code });
  };
  if (request.stream) {
    const output = createOutput(request, scheduler, invariants);
    return streamCompletion(instance.dependencies, input, output).catch(onFailure);
  }
  const onAnswer = ({ amount }: CompletionAnswer) => {
    invariants.beginsToAnswer(request);
    observed.delivered = Number.POSITIVE_INFINITY;
    invariants.ends(request, { kind: 'answered', amount });
  };
  return complete(instance.dependencies, input).then(onAnswer, onFailure);
}
