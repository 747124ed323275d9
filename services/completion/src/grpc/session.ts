import { toAppError } from '@tollgate/core';
import type { completionV1 } from '@tollgate/protos';
import type { CallInfo, DuplexCall } from '@tollgate/rpc';
import { complete } from '../operations/complete';
import type { CompletionDependencies } from '../operations/dependencies';
import { type StreamOutput, streamCompletion } from '../operations/stream-completion';
import { fromProtoInput } from './from-proto';
import { toProtoComplete, toProtoEnd, toProtoFailure, toProtoHead } from './to-proto';

type Stream = DuplexCall<completionV1.SessionRequest, completionV1.SessionResponse>;
type ResponseEvent = NonNullable<completionV1.SessionResponseFrame['event']>;

/** A request that runs in a session. */
interface SessionRun {
  readonly controller: AbortController;
  paused: boolean;
  /** Wakes whoever waits for the reader. */
  resume: () => void;
}

/**
 * Many requests on one long-lived stream. Frames of one turn of the event loop leave in one
 * message, which makes a session cheaper than a call per request. A reader that is slow pauses its
 * own request only.
 */
export function serveSession(
  deps: CompletionDependencies,
  call: CallInfo,
  stream: Stream,
): Promise<void> {
  const session = new Session(deps, stream);
  const signals = [call.draining, deps.draining];
  const onDraining = () => session.announceDraining();
  for (const signal of signals) {
    if (signal.aborted) onDraining();
    else signal.addEventListener('abort', onDraining, { once: true });
  }
  // A stream that is cut may look like one that was closed; only the call's signal tells.
  const onGone = () => session.breakOff();
  if (call.signal.aborted) onGone();
  else call.signal.addEventListener('abort', onGone, { once: true });
  return session.ended.finally(() => {
    call.signal.removeEventListener('abort', onGone);
    for (const signal of signals) signal.removeEventListener('abort', onDraining);
  });
}

class Session {
  readonly #deps: CompletionDependencies;
  readonly #stream: Stream;
  readonly #runs = new Map<number, SessionRun>();
  readonly #ended = Promise.withResolvers<void>();
  #frames: completionV1.SessionResponseFrame[] = [];
  #flushing = false;
  #draining = false;
  #closed = false;
  /** False while the transport itself takes nothing. */
  #flowing = true;

  constructor(deps: CompletionDependencies, stream: Stream) {
    this.#deps = deps;
    this.#stream = stream;
    stream.onMessage((message) => {
      for (const frame of message.frames) this.#onFrame(frame);
    });
    stream.onDrain(() => this.#onDrain());
    stream.onEnd(() => this.#onPeerDone());
  }

  /** Resolves when the peer closed its side and the last request has ended. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  /** The peer is gone: nobody reads what runs for it. */
  breakOff(): void {
    this.#closed = true;
    this.#draining = true;
    for (const run of this.#runs.values()) run.controller.abort('the session broke');
    this.#endWhenIdle();
  }

  announceDraining(): void {
    this.#draining = true;
    this.#flushSoon();
    this.#endWhenIdle();
  }

  #onFrame({ number, action }: completionV1.SessionRequestFrame): void {
    switch (action?.$case) {
      case 'open':
        void this.#open(number, action.value);
        return;
      case 'cancel':
        this.#runs.get(number)?.controller.abort('cancelled');
        return;
      case 'pause': {
        const run = this.#runs.get(number);
        if (run !== undefined) run.paused = true;
        return;
      }
      case 'resume': {
        const run = this.#runs.get(number);
        if (run === undefined) return;
        run.paused = false;
        run.resume();
        return;
      }
      case undefined:
        return;
    }
  }

  async #open(number: number, frame: completionV1.OpenFrame): Promise<void> {
    if (this.#runs.has(number)) return;
    const controller = new AbortController();
    const run: SessionRun = { controller, paused: false, resume: () => {} };
    this.#runs.set(number, run);
    try {
      const deadlineMs = frame.input?.deadlineMs ?? 0;
      const request = fromProtoInput(frame.input, {
        deadlineMs: deadlineMs > 0 ? deadlineMs : Number.POSITIVE_INFINITY,
        signal: controller.signal,
      });
      if (frame.stream) await streamCompletion(this.#deps, request, this.#outputFor(number, run));
      else {
        const answer = await complete(this.#deps, request);
        this.#send(number, { $case: 'complete', value: toProtoComplete(answer) });
      }
    } catch (error) {
      this.#send(number, { $case: 'failure', value: toProtoFailure(toAppError(error)) });
    } finally {
      this.#runs.delete(number);
      this.#endWhenIdle();
    }
  }

  #outputFor(number: number, run: SessionRun): StreamOutput {
    return {
      head: (head) => this.#send(number, { $case: 'head', value: toProtoHead(head) }),
      chunk: (choices) => {
        this.#send(number, { $case: 'chunk', value: { choices: [...choices] } });
        return !run.paused && this.#flowing;
      },
      drained: () => {
        if (!run.paused && this.#flowing) return Promise.resolve();
        return new Promise((resolve) => {
          run.resume = () => {
            if (!run.paused && this.#flowing) resolve();
          };
          run.controller.signal.addEventListener('abort', () => resolve(), { once: true });
        });
      },
      end: (usage, amount, failure) =>
        this.#send(number, { $case: 'end', value: toProtoEnd(usage, amount, failure) }),
    };
  }

  #send(number: number, event: ResponseEvent): void {
    if (this.#closed) return;
    this.#frames.push({ number, event });
    this.#flushSoon();
  }

  #flushSoon(): void {
    if (this.#flushing || this.#closed) return;
    this.#flushing = true;
    setImmediate(() => {
      this.#flushing = false;
      this.#flush();
    });
  }

  #flush(): void {
    if (this.#closed) return;
    const frames = this.#frames;
    this.#frames = [];
    this.#flowing = this.#stream.write({ frames, draining: this.#draining });
  }

  #onDrain(): void {
    this.#flowing = true;
    for (const run of this.#runs.values()) run.resume();
  }

  // A peer that closed its side still reads what it asked for.
  #onPeerDone(): void {
    this.#draining = true;
    this.#endWhenIdle();
  }

  #endWhenIdle(): void {
    if (!this.#draining || this.#runs.size > 0) return;
    // The last frames leave with the flush of this turn.
    setImmediate(() => {
      if (this.#runs.size > 0) return;
      this.#flush();
      this.#closed = true;
      this.#ended.resolve();
    });
  }
}
