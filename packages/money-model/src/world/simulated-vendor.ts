import {
  type AnswerPiece,
  type VendorCall,
  type VendorCompletion,
  VendorFailure,
  type VendorPort,
  type VendorStream,
} from '@tollgate/completion/model-api';
import { AppError } from '@tollgate/core';
import type { VendorScript } from '../workload/vendor-script';
import { BYTES_PER_TOKEN, type ModelRequest } from '../workload/workload';
import type { Process } from './process';

const CHOICES = Buffer.from('[]');

function textOf(tokens: number): string {
  return 'x'.repeat(tokens * BYTES_PER_TOKEN);
}

function failure(outcome: 'failure' | 'aborted', retryElsewhere: boolean): VendorFailure {
  return new VendorFailure(new AppError('UPSTREAM_ERROR'), outcome, { retryElsewhere });
}

/** The pieces of a script, in the order in which they come. */
function piecesOf(script: VendorScript): readonly (readonly AnswerPiece[])[] {
  const usage: AnswerPiece[] =
    script.usage === undefined ? [] : [{ kind: 'usage', usage: script.usage }];
  const texts = script.deltas.map((tokens): AnswerPiece[] => [
    { kind: 'delta', choices: CHOICES, text: textOf(tokens) },
  ]);
  const { countsPromptFirst, usage: counts } = script;
  const [first = [], ...others] = texts;
  const deltas: readonly AnswerPiece[][] =
    countsPromptFirst && counts !== undefined
      ? [[{ kind: 'prompt', usage: counts }, ...first], ...others]
      : texts;
  const finish = Array.from({ length: script.choices }, (): AnswerPiece => {
    return { kind: 'finish', choices: CHOICES, reason: 'stop' };
  });
  switch (script.ending) {
    case 'done':
      return [...deltas, finish, usage];
    case 'end':
    case 'brokenAfterFinish':
      return [...deltas, [...finish, ...usage]];
    case 'broken':
    case 'hangs':
      return deltas;
  }
}

/** Plays one script on the process's clock, as fast as its reader asks for pieces. */
function playStream(process: Process, script: VendorScript, signal: AbortSignal): VendorStream {
  const pieces = piecesOf(script);
  let sent = 0;
  const next = (): readonly AnswerPiece[] | undefined => {
    const piece = pieces[sent];
    sent += 1;
    if (piece === undefined && script.ending === 'broken') throw failure('failure', false);
    return piece;
  };
  return {
    next: () =>
      new Promise((resolve, reject) => {
        const last = sent === pieces.length;
        // A vendor that falls silent is left to the request's deadline.
        const silent = last && script.ending === 'hangs';
        const delayMs = last && script.ending === 'done' ? 0 : (script.gapsMs[sent] ?? 1);
        const play = () => {
          signal.removeEventListener('abort', onAbort);
          void Promise.resolve().then(next).then(resolve, reject);
        };
        const timer = silent ? undefined : process.clock.schedule(delayMs, play);
        const onAbort = () => {
          timer?.cancel();
          reject(failure('aborted', false));
        };
        if (signal.aborted) onAbort();
        else signal.addEventListener('abort', onAbort, { once: true });
      }),
  };
}

function wholeAnswer(script: VendorScript): VendorCompletion {
  const text = script.deltas.map(textOf).join('');
  return { choices: CHOICES, text, finishReason: 'stop', usage: script.usage };
}

/** Vendors that do what the scripts of the process's requests say. */
export function createSimulatedVendors(
  process: Process,
  requestOf: (call: VendorCall) => ModelRequest,
): VendorPort {
  const nextScript = (call: VendorCall): VendorScript => {
    const { scripts, observed } = requestOf(call);
    const script = scripts[observed.attempts % scripts.length];
    observed.attempts += 1;
    if (script === undefined) throw new RangeError('a request needs a script');
    return script;
  };

  const answer = <Answer>(
    call: VendorCall,
    signal: AbortSignal,
    make: (script: VendorScript, resolve: (value: Answer) => void) => void,
  ): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const script = nextScript(call);
      const timer = process.clock.schedule(script.firstEventMs, () => {
        if (script.failsAtOnce) reject(failure('failure', true));
        else make(script, resolve);
      });
      const onAbort = () => {
        timer.cancel();
        reject(failure('aborted', false));
      };
      if (signal.aborted) onAbort();
      else signal.addEventListener('abort', onAbort, { once: true });
    });

  return {
    complete: (call, signal) =>
      answer(call, signal, (script, resolve) => {
        // A vendor that never answers is left to the request's deadline.
        if (script.ending === 'hangs') return;
        resolve(wholeAnswer(script));
      }),
    stream: (call, signal) =>
      answer(call, signal, (script, resolve) => resolve(playStream(process, script, signal))),
    healthOf: () => ({ obstacle: undefined, firstTokenMs: undefined }),
    setChannels() {},
    noteSpeed() {},
    noteRejected() {},
    lateFirstTokenMs: () => undefined,
  };
}
