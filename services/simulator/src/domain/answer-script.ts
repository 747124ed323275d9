import { type Answer, type AnswerIdentity, type ChatQuestion, usageJson } from './answer';
import type { Behaviour } from './behaviour';
import { type Script, SIMULATED_HEADERS, type Step } from './script';
import { type VendorStatus, vendorErrorBody } from './vendor-error';

const JSON_TYPE = 'application/json';
const HTML_PAGE = '<!doctype html><html><body><h1>Simulated maintenance page</h1></body></html>';
const STREAM_HEADERS = {
  ...SIMULATED_HEADERS,
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache',
} as const;

/** A failing answer. */
export function errorScript(
  status: VendorStatus,
  behaviour: Behaviour,
  credential: string | undefined,
): Script {
  const { effects } = behaviour;
  const echo = effects.echoCredential ? { message: `Wrong API key: ${credential ?? ''}` } : {};
  const retryAfter: Readonly<Record<string, string>> =
    effects.retryAfterSeconds === undefined
      ? {}
      : { 'retry-after': String(effects.retryAfterSeconds) };
  const body = vendorErrorBody(status, echo);
  return [
    ...waitSteps(behaviour.latencyMs),
    wholeHead(status, body, JSON_TYPE, retryAfter),
    { do: 'end', data: body, tokens: 0 },
  ];
}

/** 200 with a page that is no answer, for streams and whole answers alike. */
export function htmlScript(behaviour: Behaviour): Script {
  return [
    ...waitSteps(behaviour.latencyMs),
    wholeHead(200, HTML_PAGE, 'text/html; charset=utf-8'),
    { do: 'end', data: HTML_PAGE, tokens: 0 },
  ];
}

/** The steps of an answer that is sent whole. */
export function wholeScript(
  question: ChatQuestion,
  behaviour: Behaviour,
  answer: Answer,
  identity: AnswerIdentity,
): Script {
  const { effects } = behaviour;
  const tokens = answer.thoughtTokensJson.length + answer.tokens.length;
  const speakingMs = behaviour.firstTokenMs + behaviour.tokenIntervalMs * tokens;
  const before = waitSteps(behaviour.latencyMs + speakingMs);
  if (effects.breakage === 'reset_before_head') return [...before, { do: 'reset' }];
  if (effects.breakage === 'hang_before_head') return [{ do: 'hang' }];
  const body = wholeBody(question, behaviour, answer, identity);
  const whole = effects.breakage === 'none';
  if (whole && effects.body === 'split_utf8') return [...before, ...splitSteps(body, tokens)];
  const opening: Script = [...before, wholeHead(200, body, JSON_TYPE)];
  switch (effects.breakage) {
    case 'none':
      return [...opening, { do: 'end', data: body, tokens }];
    case 'reset_after_head':
      return [...opening, { do: 'flush' }, { do: 'reset' }];
    case 'hang_after_head':
      return [...opening, { do: 'flush' }, { do: 'hang' }];
    case 'reset_after_last_token':
      return [...opening, { do: 'write', data: body.slice(0, -1), tokens: 0 }, { do: 'reset' }];
    case 'reset_mid_stream':
    case 'hang_mid_stream': {
      const share = tokensBeforeCut(tokens, behaviour.cutAfterTokens) / Math.max(1, tokens);
      const part = body.slice(0, Math.floor(body.length * Math.min(share, 0.9)));
      const last: Step = effects.breakage === 'hang_mid_stream' ? { do: 'hang' } : { do: 'reset' };
      return [...opening, { do: 'flush' }, { do: 'write', data: part, tokens: 0 }, last];
    }
  }
}

function wholeBody(
  question: ChatQuestion,
  { effects }: Behaviour,
  answer: Answer,
  identity: AnswerIdentity,
): string {
  if (effects.body === 'error_frame') return vendorErrorBody(500);
  const usage =
    effects.usage === 'none'
      ? ''
      : `,"usage":${usageJson(effects.usage, question.promptTokens, answer)}`;
  const { thoughtJson } = answer;
  const thoughts = thoughtJson === '' ? '' : `,"reasoning_content":${thoughtJson}`;
  const body =
    `{"id":"${identity.id}","object":"chat.completion","created":${identity.createdSeconds},` +
    `"model":${JSON.stringify(question.model)},"system_fingerprint":"simulator","choices":[` +
    `{"index":0,"message":{"role":"assistant","content":${answer.contentJson}${thoughts}},` +
    `"logprobs":null,"finish_reason":"${answer.finishReason}"}]${usage}}`;
  return effects.body === 'invalid_json' ? body.slice(0, body.length >> 1) : body;
}

/** Without a length, so that the two parts arrive as two chunks whatever TCP makes of them. */
function splitSteps(body: string, tokens: number): Script {
  const [start, rest] = splitInsideCharacter(body);
  const headers = { ...SIMULATED_HEADERS, 'content-type': JSON_TYPE };
  return [
    { do: 'head', status: 200, headers },
    { do: 'write', data: start, tokens: 0 },
    { do: 'tick' },
    { do: 'end', data: rest, tokens },
  ];
}

function wholeHead(
  status: number,
  body: string,
  type: string,
  more: Readonly<Record<string, string>> = {},
): Step {
  const length = String(Buffer.byteLength(body));
  const headers = { ...SIMULATED_HEADERS, 'content-type': type, 'content-length': length, ...more };
  return { do: 'head', status, headers };
}

/** One event with the number of tokens in it. */
interface Frame {
  readonly data: string;
  readonly tokens: number;
}

/** The steps of an answer that is sent token by token. */
export function streamScript(
  question: ChatQuestion,
  behaviour: Behaviour,
  answer: Answer,
  identity: AnswerIdentity,
): Script {
  const { breakage } = behaviour.effects;
  const before = waitSteps(behaviour.latencyMs);
  if (breakage === 'reset_before_head') return [...before, { do: 'reset' }];
  if (breakage === 'hang_before_head') return [{ do: 'hang' }];
  const head: Step = { do: 'head', status: 200, headers: STREAM_HEADERS };
  const opening: Script = [...before, head];
  if (breakage === 'reset_after_head') return [...opening, { do: 'flush' }, { do: 'reset' }];
  if (breakage === 'hang_after_head') return [...opening, { do: 'flush' }, { do: 'hang' }];
  const frames = composeFrames(question, behaviour, answer, identity);
  const flush: Script = behaviour.firstTokenMs === 0 ? [] : [{ do: 'flush' }];
  return [
    ...opening,
    ...flush,
    ...waitSteps(behaviour.firstTokenMs),
    ...writeSteps(frames, behaviour),
    lastStep(breakage),
  ];
}

function lastStep(breakage: Behaviour['effects']['breakage']): Step {
  if (breakage === 'none') return { do: 'end', data: '', tokens: 0 };
  return breakage === 'hang_mid_stream' ? { do: 'hang' } : { do: 'reset' };
}

function composeFrames(
  question: ChatQuestion,
  behaviour: Behaviour,
  answer: Answer,
  identity: AnswerIdentity,
): readonly Frame[] {
  const { effects } = behaviour;
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
  const middle = tokensBeforeCut(speech.length, behaviour.cutAfterTokens);
  if (effects.breakage === 'reset_after_last_token') return cut(speech.length);
  if (effects.breakage !== 'none') return cut(middle);
  // An error within a stream is the last thing said in it: no finish, no usage, no [DONE].
  const errorFrame = { data: vendorErrorBody(500), tokens: 0 };
  if (effects.body === 'error_frame') return [...cut(middle), errorFrame];
  const finish = { data: choice('{}', `"${answer.finishReason}"`), tokens: 0 };
  const frames = [...cut(speech.length), finish, ...usageFrames(question, behaviour, usageFrame)];
  if (effects.body === 'invalid_json') breakJson(frames, 1 + early.length + middle);
  return [...frames, ...doneFrames(effects.done)];
}

function usageFrames(question: ChatQuestion, { effects }: Behaviour, frame: Frame): Frame[] {
  const silent = effects.usage === 'none' || effects.usage === 'early';
  if (!question.includeUsage || silent) return [];
  return effects.usage === 'twice' ? [frame, frame] : [frame];
}

function doneFrames(done: Behaviour['effects']['done']): readonly Frame[] {
  const count = { once: 1, twice: 2, none: 0 }[done];
  return Array.from({ length: count }, () => ({ data: '[DONE]', tokens: 0 }));
}

function breakJson(frames: Frame[], index: number): void {
  const frame = frames[index];
  // A broken frame delivers nothing that a reader could count.
  if (frame !== undefined) frames[index] = { data: frame.data.slice(0, -9), tokens: 0 };
}

function writeSteps(frames: readonly Frame[], behaviour: Behaviour): Step[] {
  const { effects, tokenIntervalMs } = behaviour;
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
    // A pause follows each token, the last one too, and nothing else.
    steps.push(tokens > 0 ? pause : { do: 'tick' });
  }
  return steps;
}

/** No step for no time: even a timer of 0 ms costs one tick and more. */
function waitSteps(ms: number): Script {
  return ms === 0 ? [] : [{ do: 'wait', ms }];
}

/** How many tokens leave before a breakage in the middle. */
function tokensBeforeCut(count: number, cutAfterTokens: number | undefined): number {
  return Math.min(count, cutAfterTokens ?? Math.floor(count / 2));
}

/** Cuts bytes inside their first character of several bytes, or in half when there is none. */
function splitInsideCharacter(text: string): readonly [Buffer, Buffer] {
  const bytes = Buffer.from(text);
  const lead = bytes.findIndex((byte) => byte >= 0xc0);
  const at = lead === -1 ? bytes.length >> 1 : lead + 1;
  return [bytes.subarray(0, at), bytes.subarray(at)];
}
