import { assertNever, createBoundedMap } from '@tollgate/core';
import type { Behaviour } from './behaviour';
import type { UsageReport } from './effects';
import { simulatedTokens, textVariant, tokensOfText } from './simulated-text';

/** The parts of a chat request that shape its answer. */
export interface ChatQuestion {
  readonly model: string;
  readonly lastUserText: string;
  readonly promptTokens: number;
  readonly maxTokens: number | undefined;
  readonly stop: readonly string[];
  readonly stream: boolean;
  readonly includeUsage: boolean;
}

export type FinishReason = 'stop' | 'length' | 'content_filter';

/** The text of the answer, with the JSON of its parts made once. */
export interface Answer {
  /** What is thought before the text, as a JSON string; empty without any. */
  readonly thoughtJson: string;
  /** Each token of it as a JSON string. */
  readonly thoughtTokensJson: readonly string[];
  readonly tokens: readonly string[];
  readonly finishReason: FinishReason;
  /** The whole text as a JSON string. */
  readonly contentJson: string;
  /** Each token as a JSON string. */
  readonly tokensJson: readonly string[];
}

/** Identity of one answer, the same in all of its frames. */
export interface AnswerIdentity {
  readonly id: string;
  readonly createdSeconds: number;
}

const LONG_TOKEN_BYTES = 10 * 1_024 * 1_024;
const CACHED_ANSWERS_MAX = 1_024;

/** Composes answers and keeps the ordinary ones, which are few. */
export function createAnswerComposer(): (question: ChatQuestion, behaviour: Behaviour) => Answer {
  const ordinary = createBoundedMap<string, Answer>(CACHED_ANSWERS_MAX);
  return (question, behaviour) => {
    const { effects } = behaviour;
    const special =
      [behaviour.text, behaviour.thoughts].some((each) => each !== undefined) ||
      effects.body !== 'answer';
    if (special || question.stop.length > 0) return compose(question, behaviour);
    const variant = textVariant(question.lastUserText);
    const cap = question.maxTokens ?? behaviour.tokens;
    const key = `${variant}:${behaviour.tokens}:${cap}:${effects.finish}`;
    const known = ordinary.get(key);
    if (known !== undefined) return known;
    const answer = compose(question, behaviour);
    ordinary.set(key, answer);
    return answer;
  };
}

function compose(question: ChatQuestion, behaviour: Behaviour): Answer {
  const { maxTokens = Number.POSITIVE_INFINITY } = question;
  const thoughts = tokensOfText(behaviour.thoughts ?? '').slice(0, maxTokens);
  const wanted = wantedTokens(question, behaviour);
  const allowed = wanted.slice(0, maxTokens - thoughts.length);
  const said = cutAtStop(allowed, question.stop);
  const { finish } = behaviour.effects;
  const natural = said === allowed && allowed.length < wanted.length ? 'length' : 'stop';
  return {
    thoughtJson: thoughts.length === 0 ? '' : JSON.stringify(thoughts.join('')),
    thoughtTokensJson: thoughts.map((token) => JSON.stringify(token)),
    tokens: said,
    finishReason: finish === 'natural' ? natural : finish,
    contentJson: JSON.stringify(said.join('')),
    tokensJson: said.map((token) => JSON.stringify(token)),
  };
}

function wantedTokens(question: ChatQuestion, behaviour: Behaviour): readonly string[] {
  const { body } = behaviour.effects;
  if (body === 'empty') return [];
  if (body === 'long_line') return ['x'.repeat(LONG_TOKEN_BYTES)];
  if (behaviour.text !== undefined) return tokensOfText(behaviour.text);
  const variant = textVariant(question.lastUserText);
  return simulatedTokens(variant, behaviour.tokens, body === 'split_utf8');
}

/** Ends the text before the first stop sequence; the same list when there is none in it. */
function cutAtStop(tokens: readonly string[], stop: readonly string[]): readonly string[] {
  if (stop.length === 0) return tokens;
  const text = tokens.join('');
  const found = stop.map((sequence) => text.indexOf(sequence)).filter((index) => index >= 0);
  if (found.length === 0) return tokens;
  let room = Math.min(...found);
  const kept: string[] = [];
  for (const token of tokens) {
    if (room <= 0) break;
    kept.push(token.slice(0, room));
    room -= token.length;
  }
  return kept;
}

const ABSURD_TOKENS = '1e80';

/** The usage object as JSON text, true or not; some of it is deliberately no JSON. */
export function usageJson(
  report: UsageReport,
  prompt: number,
  { thoughtTokensJson: { length: thought }, tokens: { length: said } }: Answer,
): string {
  const completion = thought + said;
  switch (report) {
    case 'exact':
    case 'none':
    case 'twice':
    case 'early':
      return counts(prompt, completion, prompt + completion, thought);
    case 'zero':
      return counts(0, 0, 0);
    case 'negative':
      return counts(-prompt - 1, -completion - 1, -prompt - completion - 2);
    case 'fraction':
      return counts(prompt + 0.5, completion + 0.5, prompt + completion + 1);
    case 'nan':
      return counts('NaN', 'NaN', 'NaN');
    case 'null':
      return counts('null', 'null', 'null');
    case 'string':
      return counts(`"${prompt}"`, `"${completion}"`, `"${prompt + completion}"`);
    case 'absurd':
      return counts(ABSURD_TOKENS, ABSURD_TOKENS, ABSURD_TOKENS);
    default:
      return assertNever(report);
  }
}

function counts(
  prompt: number | string,
  completion: number | string,
  total: number | string,
  thought = 0,
) {
  const details =
    thought === 0 ? '' : `,"completion_tokens_details":{"reasoning_tokens":${thought}}`;
  return `{"prompt_tokens":${prompt},"completion_tokens":${completion},"total_tokens":${total}${details}}`;
}
