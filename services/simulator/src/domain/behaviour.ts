import { createBoundedMap } from '@tollgate/core';
import { type Effects, GOOD_ANSWER } from './effects';
import { FAILURE_MODES, type FailureModeName } from './failure-modes';

/** The behaviour that a client asks for; absent members keep what they were. */
export interface Directive {
  readonly latencyMs?: number;
  readonly firstTokenMs?: number;
  readonly tokenIntervalMs?: number;
  readonly tokens?: number;
  readonly text?: string;
  readonly thoughts?: string;
  readonly fail?: readonly FailureModeName[];
  readonly failEvery?: number;
  readonly failFirst?: number;
  readonly retryAfterSeconds?: number;
  readonly cutAfterTokens?: number;
  readonly tag?: string;
}

/** What is always known: the configuration says it where nobody else does. */
export type DefaultDirective = Directive &
  Required<Pick<Directive, 'latencyMs' | 'firstTokenMs' | 'tokenIntervalMs' | 'tokens'>>;

/** How one request will be answered. */
export interface Behaviour {
  /** Before the head. */
  readonly latencyMs: number;
  /** From the head to the first token; in a whole answer added to the latency. */
  readonly firstTokenMs: number;
  readonly tokenIntervalMs: number;
  readonly tokens: number;
  /** Said word by word in place of the made-up text. */
  readonly text: string | undefined;
  /** Thought word by word before the text. */
  readonly thoughts: string | undefined;
  readonly effects: Effects;
  /** Tokens before what breaks in the middle; half of them when undefined. */
  readonly cutAfterTokens: number | undefined;
  /** Kept with the delivery, so that a test finds its own. */
  readonly tag: string | undefined;
}

/** Bounds of every directive. */
export const DIRECTIVE_BOUNDS = {
  delayMsMax: 600_000,
  tokensMax: 10_000,
  textLengthMax: 100_000,
  failNamesMax: 8,
  everyMax: 1_000_000,
  retryAfterSecondsMax: 1_000_000_000,
  tagLengthMax: 128,
} as const;

/** The second directive wins member by member. */
export function mergeDirectives<First extends Directive>(first: First, second: Directive): First {
  return { ...first, ...second };
}

/** Turns a complete directive into a behaviour; `failing` says whether `fail` applies this time. */
export function toBehaviour(directive: DefaultDirective, failing: boolean): Behaviour {
  return {
    latencyMs: directive.latencyMs,
    firstTokenMs: directive.firstTokenMs,
    tokenIntervalMs: directive.tokenIntervalMs,
    tokens: directive.tokens,
    text: directive.text,
    thoughts: directive.thoughts,
    effects: failing ? toEffects(directive) : GOOD_ANSWER,
    cutAfterTokens: directive.cutAfterTokens,
    tag: directive.tag,
  };
}

function toEffects(directive: Directive): Effects {
  const { fail = [], cutAfterTokens, retryAfterSeconds } = directive;
  if (fail.length === 0 && cutAfterTokens === undefined && retryAfterSeconds === undefined) {
    return GOOD_ANSWER;
  }
  const effects: Effects = { ...GOOD_ANSWER };
  for (const name of fail) Object.assign(effects, FAILURE_MODES[name].effects);
  // A place to cut without anything that cuts there means the ordinary cut.
  const lacksCut = cutAfterTokens !== undefined && !cutsAnswer(effects);
  return {
    ...effects,
    breakage: lacksCut ? 'reset_mid_stream' : effects.breakage,
    retryAfterSeconds: retryAfterSeconds ?? effects.retryAfterSeconds,
  };
}

function cutsAnswer({ body, breakage }: Effects): boolean {
  return breakage !== 'none' || body === 'error_frame' || body === 'invalid_json';
}

/** Decides for which requests `fail` applies; a count, not chance, so that runs repeat. */
export interface FailureSchedule {
  /** Called once per request. */
  applies(directive: Directive): boolean;
}

const TAGS_MAX = 10_000;

export function createFailureSchedule(): FailureSchedule {
  const seenByTag = createBoundedMap<string, number>(TAGS_MAX);
  let counted = 0;
  return {
    applies({ failEvery, failFirst, tag }) {
      if (failFirst !== undefined && tag !== undefined) {
        const seen = (seenByTag.get(tag) ?? 0) + 1;
        seenByTag.set(tag, seen);
        if (seen > failFirst) return false;
      }
      if (failEvery === undefined) return true;
      counted += 1;
      return counted % failEvery === 0;
    },
  };
}
