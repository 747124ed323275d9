import type { Answer, ChatQuestion } from './answer';
import { usageJson } from './answer';
import type { Behavior } from './behavior';
import {
  type AnswerIdentity,
  type Script,
  SIMULATED_HEADERS,
  type Step,
  splitInsideCharacter,
  tokensBeforeCut,
} from './script';
import { vendorErrorBody } from './vendor-error';
import { waitSteps } from './whole-script';

const STREAM_HEADERS = {
  ...SIMULATED_HEADERS,
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache',
} as const;

/** One event with the number of tokens in it. */
interface Frame {
  readonly data: string;
  readonly tokens: number;
}

/** The steps of an answer that is sent token by token. */
export function streamScript(
  question: ChatQuestion,
  behavior: Behavior,
  answer: Answer,
  identity: AnswerIdentity,
): Script {
  const { breakage } = behavior.effects;
  const before = waitSteps(behavior.latencyMs);
  if (breakage === 'reset_before_head') return [...before, { do: 'reset' }];
  if (breakage === 'hang_before_head') return [{ do: 'hang' }];
  const head: Step = { do: 'head', status: 200, headers: STREAM_HEADERS };
  const opening: Script = [...before, head];
  if (breakage === 'reset_after_head') return [...opening, { do: 'flush' }, { do: 'reset' }];
  if (breakage === 'hang_after_head') return [...opening, { do: 'flush' }, { do: 'hang' }];
  const frames = composeFrames(question, behavior, answer, identity);
  const flush: Script = behavior.firstTokenMs === 0 ? [] : [{ do: 'flush' }];
  return [
    ...opening,
    ...flush,
    ...waitSteps(behavior.firstTokenMs),
    ...writeSteps(frames, behavior),
    lastStep(breakage),
  ];
}

function lastStep(breakage: Behavior['effects']['breakage']): Step {
  if (breakage === 'none') return { do: 'end', data: '', tokens: 0 };
  return breakage === 'hang_mid_stream' ? { do: 'hang' } : { do: 'reset' };
}

function composeFrames(
  question: ChatQuestion,
  behavior: Behavior,
  answer: Answer,
  identity: AnswerIdentity,
): readonly Frame[] {
  const { effects } = behavior;
  const lead =
    `{"id":"${identity.id}","object":"chat.completion.chunk",` +
    `"created":${identity.createdSeconds},"model":${JSON.stringify(question.model)},` +
    '"system_fingerprint":"simulator","choices":[';
  const choice = (delta: string, finish: string) =>
    `${lead}{"index":0,"delta":${delta},"logprobs":null,"finish_reason":${finish}}]}`;
  const usage = usageJson(effects.usage, question.promptTokens, answer);
  const usageFrame: Frame = {
    data: `${lead}],"usage":${usage}}`,
    tokens: 0,
  };
  const spoken = (member: string, tokens: readonly string[]): readonly Frame[] =>
    tokens.map((token) => ({ data: choice(`{"${member}":${token}}`, 'null'), tokens: 1 }));
  const speech = [
    ...spoken('reasoning_content', answer.thoughtTokensJson),
    ...spoken('content', answer.tokensJson),
  ];
  const role: Frame = { data: choice('{"role":"assistant","content":""}', 'null'), tokens: 0 };
  const early = question.includeUsage && effects.usage === 'early' ? [usageFrame] : [];
  const cut = (count: number) => [role, ...early, ...speech.slice(0, count)];
  const middle = tokensBeforeCut(speech.length, behavior.cutAfterTokens);
  if (effects.breakage === 'reset_after_last_token') return cut(speech.length);
  if (effects.breakage !== 'none') return cut(middle);
  // An error within a stream is the last thing said in it: no finish, no usage, no [DONE].
  const errorFrame = { data: vendorErrorBody(500), tokens: 0 };
  if (effects.body === 'error_frame') return [...cut(middle), errorFrame];
  const finish = { data: choice('{}', `"${answer.finishReason}"`), tokens: 0 };
  const frames = [...cut(speech.length), finish, ...usageFrames(question, behavior, usageFrame)];
  if (effects.body === 'invalid_json') breakJson(frames, 1 + early.length + middle);
  return [...frames, ...doneFrames(effects.done)];
}

function usageFrames(question: ChatQuestion, { effects }: Behavior, frame: Frame): Frame[] {
  const silent = effects.usage === 'none' || effects.usage === 'early';
  if (!question.includeUsage || silent) return [];
  return effects.usage === 'twice' ? [frame, frame] : [frame];
}

function doneFrames(done: Behavior['effects']['done']): readonly Frame[] {
  const count = { once: 1, twice: 2, none: 0 }[done];
  return Array.from({ length: count }, () => ({ data: '[DONE]', tokens: 0 }));
}

function breakJson(frames: Frame[], index: number): void {
  const frame = frames[index];
  // A broken frame delivers nothing that a reader could count.
  if (frame !== undefined) frames[index] = { data: frame.data.slice(0, -9), tokens: 0 };
}

function writeSteps(frames: readonly Frame[], behavior: Behavior): Step[] {
  const { effects, tokenIntervalMs } = behavior;
  const end = effects.lineEnd === 'crlf' ? '\r\n' : '\n';
  const comment = effects.comments ? `: keep-alive${end}${end}` : '';
  const texts = frames.map((frame) => `${comment}data: ${frame.data}${end}${end}`);
  if (effects.writes === 'joined') {
    const tokens = frames.reduce((sum, frame) => sum + frame.tokens, 0);
    return [{ do: 'write', data: texts.join(''), tokens }];
  }
  const pause: Step = tokenIntervalMs === 0 ? { do: 'tick' } : { do: 'wait', ms: tokenIntervalMs };
  const steps: Step[] = [];
  for (const [index, text] of texts.entries()) {
    const tokens = frames[index]?.tokens ?? 0;
    if (effects.body === 'split_utf8') {
      const [start, rest] = splitInsideCharacter(text);
      steps.push({ do: 'write', data: start, tokens: 0 }, { do: 'tick' });
      steps.push({ do: 'write', data: rest, tokens });
    } else {
      steps.push({ do: 'write', data: text, tokens });
    }
    // Only speech takes its time; what follows the last token follows at once.
    steps.push(tokens > 0 ? pause : { do: 'tick' });
  }
  return steps;
}
