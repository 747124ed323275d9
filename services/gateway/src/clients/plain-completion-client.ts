import { AppError, assertNever, type Clock, delay, isErrorCode } from '@tollgate/core';
import type { completionV1 } from '@tollgate/protos';
import type { CallOptions, completionDefinition, RpcClient } from '@tollgate/rpc';
import type {
  CompletionCall,
  CompletionClient,
  CompletionListener,
  PendingCompletion,
  StreamOutcome,
} from './completion-client';

type CompletionRpc = RpcClient<typeof completionDefinition>;

const NO_USAGE: completionV1.Usage = {
  promptTokens: 0,
  completionTokens: 0,
  totalTokens: 0,
  cachedTokens: 0,
};
const DRAIN_POLL_MS = 10;

/** One RPC per request: `Complete` and `StreamCompletion`. */
export function createPlainCompletionClient(rpc: CompletionRpc, clock: Clock): CompletionClient {
  const running = new Set<{ readonly cancel: () => void }>();
  let draining = false;
  const requireOpen = () => {
    if (draining) throw new AppError('SERVICE_UNAVAILABLE', { internalMessage: 'draining' });
  };

  const complete = (
    input: completionV1.CompletionInput,
    call: CompletionCall,
  ): PendingCompletion => {
    requireOpen();
    const controller = new AbortController();
    const entry = { cancel: () => controller.abort() };
    running.add(entry);
    const answer = rpc
      .complete({ input }, { ...toOptions(call), signal: controller.signal })
      .finally(() => running.delete(entry));
    return { answer: timed(answer, clock, call), cancel: entry.cancel };
  };

  return {
    complete,
    stream(input, call, listener) {
      requireOpen();
      const finished = () => void running.delete(opened);
      const opened = openStream(rpc, input, call, { listener, clock, finished });
      running.add(opened);
      return opened;
    },
    explain: (input, call) => rpc.explainRoute({ input }, toOptions(call)),
    async drain(deadlineMs) {
      draining = true;
      const endMs = clock.monotonicMs() + deadlineMs;
      while (running.size > 0 && clock.monotonicMs() < endMs) await delay(clock, DRAIN_POLL_MS);
      for (const { cancel } of running) cancel();
    },
    close: () => rpc.close(),
  };
}

interface StreamParts {
  readonly listener: CompletionListener;
  readonly clock: Clock;
  readonly finished: () => void;
}

function openStream(
  rpc: CompletionRpc,
  input: completionV1.CompletionInput,
  call: CompletionCall,
  { listener, clock, finished }: StreamParts,
) {
  const stream = rpc.streamCompletion({ input }, toOptions(call));
  const startMs = clock.monotonicMs();
  let over = false;
  const end = (outcome: StreamOutcome) => {
    if (over) return;
    over = true;
    finished();
    listener.onEnd(outcome);
  };
  stream.listen({
    onMessage({ frame }) {
      if (over || frame === undefined) return;
      switch (frame.$case) {
        case 'head':
          listener.onHead(frame.value);
          break;
        case 'chunk':
          listener.onChunk(frame.value.choices);
          break;
        case 'end':
          end(fromStreamEnd(frame.value));
          break;
        default:
          assertNever(frame);
      }
    },
    onEnd(error) {
      const late = clock.monotonicMs() - startMs >= call.deadlineMs;
      end({ ok: false, error: late ? timeout(error) : (error ?? brokenOff()) });
    },
  });
  return { pause: stream.pause, resume: stream.resume, cancel: stream.cancel };
}

/** A call that ended because its deadline passed is a time-out, however the transport says it. */
async function timed<Result>(
  answer: Promise<Result>,
  clock: Clock,
  call: CompletionCall,
): Promise<Result> {
  const startMs = clock.monotonicMs();
  try {
    return await answer;
  } catch (error) {
    throw clock.monotonicMs() - startMs >= call.deadlineMs ? timeout(error) : error;
  }
}

function timeout(cause: unknown): AppError {
  if (cause instanceof AppError && cause.code === 'UPSTREAM_TIMEOUT') return cause;
  // Work may have been spent at a vendor, so nobody should repeat this by itself.
  return new AppError('UPSTREAM_TIMEOUT', { retryable: false, cause });
}

function brokenOff(): AppError {
  return new AppError('SERVICE_UNAVAILABLE', {
    internalMessage: 'the stream ended without an end frame',
  });
}

function fromStreamEnd(end: completionV1.StreamEnd): StreamOutcome {
  if (end.failure !== undefined) return { ok: false, error: fromFailure(end.failure) };
  return { ok: true, usage: end.usage ?? NO_USAGE, amount: end.amount };
}

/** The failure that a frame carries, in the words of the error table. */
export function fromFailure(failure: completionV1.Failure): AppError {
  if (!isErrorCode(failure.code)) {
    return new AppError('INTERNAL_ERROR', { internalMessage: `unknown code ${failure.code}` });
  }
  return new AppError(failure.code, {
    ...(failure.message === '' ? {} : { publicMessage: failure.message }),
    ...(failure.param === '' ? {} : { param: failure.param }),
    ...(failure.retryAfterMs === 0 ? {} : { retryAfterMs: failure.retryAfterMs }),
    retryable: failure.retryable,
  });
}

function toOptions(call: CompletionCall): CallOptions {
  const { requestId, accountId, traceparent, deadlineMs } = call;
  return { requestId, accountId, traceparent, deadlineMs };
}
