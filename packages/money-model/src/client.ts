import {
  type CompletionAnswer,
  type CompletionRequest,
  complete,
  type StreamOutput,
  streamCompletion,
} from '@tollgate/completion/testing';
import { toAppError } from '@tollgate/core';
import type { CompletionInstance } from './completion-host';
import type { Scheduler } from './scheduler';
import type { Witness } from './witness';
import type { ModelRequest } from './workload';

const SLOW_READER_CHANCE = 0.05;
const SLOW_READER_MS = 400;

function toCompletionRequest(request: ModelRequest, signal: AbortSignal): CompletionRequest {
  const { accountId, keyId, budget } = request;
  return {
    requestId: request.requestId,
    clientRequestId: request.clientRequestId,
    caller: {
      ...{ accountId, keyId, budget },
      userId: null,
      operator: false,
      models: [],
      groups: [],
      grantedGroups: [],
    },
    model: request.model,
    messages: request.messages,
    messageCount: 1,
    parameters: {
      temperature: undefined,
      topP: undefined,
      stop: [],
      presencePenalty: undefined,
      frequencyPenalty: undefined,
      seed: undefined,
      user: '',
      capabilityMembers: Buffer.alloc(0),
    },
    maxTokens: request.maxTokens,
    capabilities: [],
    capabilityParam: '',
    choices: request.choices,
    deadlineMs: request.deadlineMs,
    signal,
  };
}

/** The client's end of a stream: notes what arrives, and is slow now and then. */
function createOutput(request: ModelRequest, scheduler: Scheduler, witness: Witness): StreamOutput {
  const { seen } = request;
  const scripted = () => request.scripts[(seen.attempts - 1) % request.scripts.length]?.deltas;
  let chunks = 0;
  return {
    head: () => witness.beginsToAnswer(request),
    chunk(choices) {
      witness.beginsToAnswer(request);
      for (const _ of choices) {
        seen.delivered += scripted()?.[chunks] ?? 0;
        chunks += 1;
      }
      return scheduler.isCalm || !scheduler.random.chance(SLOW_READER_CHANCE);
    },
    drained: () =>
      new Promise((resolve) => {
        scheduler.at(undefined, SLOW_READER_MS, resolve);
      }),
    end(_usage, amount, failure) {
      if (failure === undefined) witness.ends(request, { kind: 'answered', amount });
      else witness.ends(request, { kind: 'cut', amount, code: failure.code });
    },
  };
}

/** Sends a request to an instance and notes how it ends for the client. */
export function sendRequest(
  instance: CompletionInstance,
  request: ModelRequest,
  scheduler: Scheduler,
  witness: Witness,
): Promise<void> {
  const gone = new AbortController();
  const { leavesAfterMs, seen } = request;
  seen.sentTo = { process: instance.process, spoolId: instance.spool.spoolId };
  if (leavesAfterMs !== undefined) {
    scheduler.at(instance.process, leavesAfterMs, () => gone.abort());
  }
  const input = toCompletionRequest(request, gone.signal);
  const onFailure = (error: unknown) => {
    const kind = seen.attempts > 0 ? 'failed' : 'refused';
    witness.ends(request, { kind, code: toAppError(error).code });
  };
  if (request.stream) {
    const output = createOutput(request, scheduler, witness);
    return streamCompletion(instance.dependencies, input, output).catch(onFailure);
  }
  const onAnswer = ({ amount }: CompletionAnswer) => {
    witness.beginsToAnswer(request);
    seen.delivered = Number.POSITIVE_INFINITY;
    witness.ends(request, { kind: 'answered', amount });
  };
  return complete(instance.dependencies, input).then(onAnswer, onFailure);
}
