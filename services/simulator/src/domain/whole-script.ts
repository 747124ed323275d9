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
import { type VendorStatus, vendorErrorBody } from './vendor-error';

const JSON_TYPE = 'application/json';
const HTML_PAGE = '<!doctype html><html><body><h1>Simulated maintenance page</h1></body></html>';

/** A failing answer. */
export function errorScript(
  status: VendorStatus,
  behavior: Behavior,
  credential: string | undefined,
): Script {
  const { effects } = behavior;
  const echo = effects.echoCredential ? { message: `Wrong API key: ${credential ?? ''}` } : {};
  const retryAfter: Readonly<Record<string, string>> =
    effects.retryAfterSeconds === undefined
      ? {}
      : { 'retry-after': String(effects.retryAfterSeconds) };
  const body = vendorErrorBody(status, echo);
  return [
    ...waitSteps(behavior.latencyMs),
    wholeHead(status, body, JSON_TYPE, retryAfter),
    { do: 'end', data: body, tokens: 0 },
  ];
}

/** 200 with a page that is no answer, for streams and whole answers alike. */
export function htmlScript(behavior: Behavior): Script {
  return [
    ...waitSteps(behavior.latencyMs),
    wholeHead(200, HTML_PAGE, 'text/html; charset=utf-8'),
    { do: 'end', data: HTML_PAGE, tokens: 0 },
  ];
}

/** The steps of an answer that is sent whole. */
export function wholeScript(
  question: ChatQuestion,
  behavior: Behavior,
  answer: Answer,
  identity: AnswerIdentity,
): Script {
  const { effects } = behavior;
  const tokens = answer.thoughtTokensJson.length + answer.tokens.length;
  const speakingMs = behavior.firstTokenMs + behavior.tokenIntervalMs * tokens;
  const before = waitSteps(behavior.latencyMs + speakingMs);
  if (effects.breakage === 'reset_before_head') return [...before, { do: 'reset' }];
  if (effects.breakage === 'hang_before_head') return [{ do: 'hang' }];
  const body = wholeBody(question, behavior, answer, identity);
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
      const share = tokensBeforeCut(tokens, behavior.cutAfterTokens) / Math.max(1, tokens);
      const part = body.slice(0, Math.floor(body.length * Math.min(share, 0.9)));
      const last: Step = effects.breakage === 'hang_mid_stream' ? { do: 'hang' } : { do: 'reset' };
      return [...opening, { do: 'flush' }, { do: 'write', data: part, tokens: 0 }, last];
    }
  }
}

function wholeBody(
  question: ChatQuestion,
  { effects }: Behavior,
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

/** No step for no time: even a timer of 0 ms costs one turn and more. */
export function waitSteps(ms: number): Script {
  return ms === 0 ? [] : [{ do: 'wait', ms }];
}
