import {
  AppError,
  type Clock,
  createBoundedMap,
  MINUTE_MS,
  type Nano,
  type UsageOutcome,
} from '@tollgate/core';
import { usualTokensOf } from '../usage/estimate';
import { createMediaTokens } from './media-tokens';
import type { FinishedRequest } from './worked-tokens';

/**
 * Bounds how much an account makes vendors work for answers of which it takes nothing: a client that
 * leaves before its first text pays nothing, one that leaves later pays no thoughts that it was not
 * shown, one whose answer is too long pays nothing either, and the operator pays the vendor.
 */
export interface AbandonedWork {
  /** Throws RATE_LIMIT_EXCEEDED when the account has abandoned too much in this minute. */
  requireFew(accountId: string): void;
  /** So many tokens that a vendor got or made are paid by nobody; they cost so much. */
  noteAbandoned(accountId: string, tokens: number, cost: Nano): void;
  /** The account was charged so much. */
  notePaid(accountId: string, amount: Nano): void;
  /**
   * Learns from the vendor's count of an answer how fast its model thinks what it does not show, and
   * what it counts for images and files.
   */
  noteCounted(finished: FinishedRequest, outcome: UsageOutcome): void;
  /**
   * Tokens that the model of an answer that was cut thought unseen before its first text; 0 for one
   * of which no count has told that it does so.
   */
  unseenTokensOf(finished: FinishedRequest): number;
  /**
   * Tokens that a vendor is taken to have made of an answer that was left before its first text,
   * `ageMs` after its request came.
   */
  unreadTokensOf(finished: FinishedRequest, ageMs: number): number;
  /** Tokens of images and files beyond the usual ones, as counts of others let expect. */
  uncountedTokensOf(finished: FinishedRequest): number;
}

/**
 * Tokens of a minute that an account may abandon for nothing: an editor asks at each pause of its
 * user, and may leave a hundred answers to prompts of two thousand tokens.
 */
const TOKENS_PER_MINUTE_MAX = 200_000;
/** Tokens that a vendor may have made of an answer before it heard that nobody reads it. */
const TOKENS_PER_ANSWER = 500;
/** Tokens in a millisecond of a model whose speed is not known: fifty in a second. */
const USUAL_TOKENS_PER_MS = 0.05;
const ACCOUNTS_MAX = 100_000;
const THINKING_MODELS_MAX = 10_000;
/** The weight of the newest count in the running average of a model's speed. */
const WEIGHT_OF_LAST = 1 / 8;

interface Minute {
  readonly number: number;
  abandonedTokens: number;
  /** What the tokens beyond the free ones cost, in nano-units. */
  costBeyond: bigint;
  /** What the account was charged, in nano-units. */
  paid: bigint;
}

/** Starts without any; minutes are the same for all accounts. */
export function createAbandonedWork(clock: Pick<Clock, 'monotonicMs'>): AbandonedWork {
  const minutes = createBoundedMap<string, Minute>(ACCOUNTS_MAX);
  /** Tokens in a millisecond of models that think unseen, by channel and name. */
  const tokensPerMsOf = createBoundedMap<string, number>(THINKING_MODELS_MAX);
  const media = createMediaTokens();
  const minuteOf = (accountId: string): Minute => {
    const number = Math.floor(clock.monotonicMs() / MINUTE_MS);
    const known = minutes.get(accountId);
    if (known?.number === number) return known;
    const minute = { number, abandonedTokens: 0, costBeyond: 0n, paid: 0n };
    minutes.set(accountId, minute);
    return minute;
  };
  const madeUntil = (
    finished: FinishedRequest,
    ageMs: number,
    usualTokensPerMs: number,
    tokensMin = 0,
  ): number => {
    const { candidate, request } = finished;
    const tokensPerMs = tokensPerMsOf.get(modelKeyOf(finished)) ?? usualTokensPerMs;
    const tokens = Math.round(tokensPerMs * Math.max(0, workedMsUntil(finished, ageMs)));
    const tokensMax = candidate.model.completionTokensMax * request.choices;
    return Math.min(Math.max(tokensMin, tokens), tokensMax);
  };
  return {
    requireFew(accountId) {
      const { costBeyond, number, paid } = minuteOf(accountId);
      if (costBeyond <= paid) return;
      throw new AppError('RATE_LIMIT_EXCEEDED', {
        publicMessage:
          'Too many requests of this account were left before their answers were paid for, or had ' +
          'answers too long to be given in one piece. Please wait for the next minute.',
        retryAfterMs: (number + 1) * MINUTE_MS - clock.monotonicMs(),
      });
    },
    noteAbandoned(accountId, tokens, cost) {
      const minute = minuteOf(accountId);
      const free = Math.max(0, TOKENS_PER_MINUTE_MAX - minute.abandonedTokens);
      const beyond = Math.max(0, tokens - free);
      minute.abandonedTokens += tokens;
      if (beyond > 0) minute.costBeyond += (cost * BigInt(beyond)) / BigInt(tokens);
    },
    notePaid(accountId, amount) {
      minuteOf(accountId).paid += amount;
    },
    noteCounted(finished, { completionTokens, latencyMs, promptTokens, reasoningTokens = 0 }) {
      media.noteCounted(finished, promptTokens);
      const key = modelKeyOf(finished);
      const shownTokens = usualTokensOf(finished.text.bytes);
      const workedMs = workedMsUntil(finished, latencyMs);
      if (Math.min(reasoningTokens, completionTokens - shownTokens) <= 0 || workedMs <= 0) return;
      const tokensPerMs = completionTokens / workedMs;
      const known = tokensPerMsOf.get(key) ?? tokensPerMs;
      tokensPerMsOf.set(key, known + (tokensPerMs - known) * WEIGHT_OF_LAST);
    },
    unseenTokensOf: (finished) => madeUntil(finished, finished.firstTokenMs ?? 0, 0),
    unreadTokensOf: (finished, ageMs) =>
      finished.request.embedding === undefined
        ? madeUntil(finished, ageMs, USUAL_TOKENS_PER_MS, TOKENS_PER_ANSWER)
        : 0,
    uncountedTokensOf: (finished) => media.beyondUsualOf(finished),
  };
}

function modelKeyOf({ candidate: { channel, model } }: FinishedRequest): string {
  return `${channel.id} ${model.name}`;
}

/** Milliseconds that the answering call, or the last one, had run when its request was `ageMs` old. */
function workedMsUntil({ attempts, startedMs }: FinishedRequest, ageMs: number): number {
  const calledMs = attempts.answered?.calledMs ?? attempts.calledMs;
  return calledMs === undefined ? 0 : startedMs + ageMs - calledMs;
}
