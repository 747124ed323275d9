import type {
  AppError,
  CallFailureKind,
  FinishReason,
  JsonObject,
  RejectedCandidate,
} from '@tollgate/core';
import type { Candidate, RouteChannel } from '../routing/candidate';
import type { CandidateHealth } from '../routing/health';
import type { VendorUsage } from './vendor-usage';

/** What the request asks of the model besides its messages; what is absent is not sent. */
export interface CallParameters {
  readonly temperature: number | undefined;
  readonly topP: number | undefined;
  readonly stop: readonly string[];
  readonly presencePenalty: number | undefined;
  readonly frequencyPenalty: number | undefined;
  readonly seed: bigint | undefined;
  readonly user: string;
  /** A JSON object of members that only capable channels get; empty when there are none. */
  readonly capabilityMembers: Buffer;
  /** Absent without any. */
  readonly cacheMarks?: readonly CacheMark[];
  /** Tokens to think for, where the request counts them, beside its effort; 0 asks for no thoughts. */
  readonly thinkingBudget?: number | undefined;
}

/** A place up to which the client wants its prompt kept in the vendor's cache. */
export interface CacheMark {
  /** An index in the messages; -1 stands for the tools. */
  readonly message: number;
  /** UTF-16 units of a content that is a text, otherwise parts of it, or tools; 0 is all of it. */
  readonly end: number;
}

/** Vectors are asked for; the messages are then an array of texts. */
export interface Embedding {
  /** Numbers of each vector; undefined leaves it to the model. */
  readonly dimensions: number | undefined;
  /** How many texts there are: each has a vector. */
  readonly inputs: number;
}

/** One call of a vendor. */
export interface VendorCall {
  /** Ours; the vendor's logs and ours can be laid side by side. */
  readonly requestId: string;
  /** W3C trace context for the vendor; absent when neither the client nor we trace. */
  readonly traceparent?: string | undefined;
  /** Whose request it is: one account's failures speak less against a channel. */
  readonly accountId: string;
  /** How long the calls of its request have waited in queues for connections, all together. */
  readonly queueWait: { ms: number };
  /** It is made now, after it has waited in a queue or at once: what follows is its vendor's time. */
  readonly onTurn: () => void;
  readonly candidate: Candidate;
  /** Canonical JSON array, sent byte for byte. */
  readonly messages: Buffer;
  /** Bytes of a text that usually has as many tokens as the prompt with its images. */
  readonly promptWeight: number;
  readonly parameters: CallParameters;
  /** Of each choice. */
  readonly maxTokens: number | undefined;
  /** Answers that are asked for at once (`n`). */
  readonly choices: number;
  readonly stream: boolean;
  /** Undefined in a completion. */
  readonly embedding: Embedding | undefined;
}

/** Tokens that a vendor which keeps to the call generates at most, over all its choices. */
export function completionTokensMaxOf(call: VendorCall): number {
  const { choices, maxTokens, candidate } = call;
  if (call.embedding !== undefined) return 0;
  return choices * (maxTokens ?? candidate.model.completionTokensMax);
}

/** A whole answer: given at once. */
export interface VendorCompletion {
  /**
   * JSON array, the `choices` member of our answer; of an embedding the vectors, each the base64 of
   * its 32-bit floats.
   */
  readonly choices: Buffer;
  /** Everything that was generated, for counting. */
  readonly text: string;
  readonly finishReason: FinishReason;
  readonly usage: VendorUsage | undefined;
  /** The vendor went on past the tokens that were asked for: the answer ends there. */
  readonly isPastAsked?: boolean;
  /** What the vendor counted of more than was asked for: only its prompt is taken. */
  readonly partUsage?: VendorUsage | undefined;
  /** To be called when nobody needs the answer any more: until then its bytes are counted. */
  readonly release?: () => void;
}

/** A piece of a streamed answer: a delta, the end of a choice, or what a count must know. */
export type AnswerPiece =
  /** The `choices` of one event to the client, and the text in it, for counting. */
  | {
      readonly kind: 'delta';
      readonly choices: Buffer;
      readonly text: string;
      /** Which of several answers; the first when it is absent. */
      readonly choice?: number;
    }
  | FinishPiece
  /** The vendor went on past the tokens that were asked for: its count is of more than is passed on. */
  | { readonly kind: 'past_asked' }
  /** What the vendor says of the prompt while it answers: all that is known of it in a cut answer. */
  | { readonly kind: 'prompt'; readonly usage: VendorUsage }
  | { readonly kind: 'usage'; readonly usage: VendorUsage };

/** One of several answers ends. */
export interface FinishPiece {
  readonly kind: 'finish';
  readonly choices: Buffer;
  readonly reason: FinishReason;
  /** As of a delta. */
  readonly choice?: number;
}

export function finishOf(choice: number, reason: FinishReason): FinishPiece {
  const choices = Buffer.from(`[{"index":${choice},"delta":{},"finish_reason":"${reason}"}]`);
  return { kind: 'finish', choices, reason, choice };
}

/**
 * How a call ended. Routing is told of every outcome but the last two, and of `request_refused` as a
 * success.
 */
export type VendorOutcome =
  | 'success'
  | CallFailureKind
  /** The vendor found the request itself wrong: nothing is the matter with the channel. */
  | 'request_refused'
  /** We ended it. */
  | 'aborted'
  /** The call was never made: open breaker, no room, unusable address. */
  | 'not_sent';

/** What a vendor said when it refused a call, without secrets and without words of the prompt. */
export interface VendorWords {
  /** Undefined where it said so within a stream. */
  readonly status: number | undefined;
  /** Its name of the error; empty when it gave none. */
  readonly error: string;
  readonly message: string;
}

/** What follows from a failed call, beside the failure that is shown. */
interface FailureConsequences {
  /** Another channel may do better with the same request. */
  readonly retryElsewhere: boolean;
  /** No connection came about: the same channel may be called again, because nothing reached it. */
  readonly retryHere?: boolean;
  /** What the vendor worked though nothing of it is delivered, where that can be estimated. */
  readonly usage?: VendorUsage;
}

/** A failed vendor call. The vendor's own words are in `words` alone, for operators. */
export class VendorFailure extends Error {
  override readonly name = 'VendorFailure';
  readonly error: AppError;
  readonly outcome: VendorOutcome;
  readonly retryElsewhere: boolean;
  readonly retryHere: boolean;
  readonly usage: VendorUsage | undefined;
  /** Of a refusal; set when they have come, which may be after the failure. */
  words: VendorWords | undefined;
  /** The `error` member by which a stream ended; undefined again once `words` tells of it. */
  untoldError: JsonObject | undefined;

  constructor(
    error: AppError,
    outcome: VendorOutcome,
    { retryElsewhere, retryHere = false, usage }: FailureConsequences,
  ) {
    super(error.message, { cause: error });
    this.error = error;
    this.outcome = outcome;
    this.retryElsewhere = retryElsewhere;
    this.retryHere = retryHere;
    this.usage = usage;
  }
}

/** A streamed answer whose first event has arrived: pieces in order, then exactly one end. */
export interface VendorStream {
  /**
   * The next pieces; undefined after a complete answer; rejects with VendorFailure after a cut one.
   * To be called again only when it has settled: a reader that does not ask pauses its vendor.
   */
  next(): Promise<readonly AnswerPiece[] | undefined>;
}

/** The reason of a call that is aborted because another channel answered the same request first. */
export const OUTRUN = 'outrun';

/** The vendors, behind every channel of the route table. */
export interface VendorPort {
  /** Rejects with VendorFailure. Aborting the signal ends the call at the vendor. */
  complete(call: VendorCall, signal: AbortSignal): Promise<VendorCompletion>;
  /** Resolves at the first event, with which the call has succeeded; rejects as `complete`. */
  stream(call: VendorCall, signal: AbortSignal): Promise<VendorStream>;
  /** As the account finds it; without one, what a single account broke counts as broken. */
  readonly healthOf: (candidate: Candidate, accountId?: string) => CandidateHealth;
  /** A stream from there brought so many tokens in so long after its first event. */
  noteSpeed(candidate: Candidate, tokens: number, durationMs: number): void;
  /**
   * When a first token from there is late: 95 of 100 come sooner. Undefined before enough came.
   */
  lateFirstTokenMs(candidate: Candidate): number | undefined;
  /** None of these could take a request: those that are full are reported to routing. */
  noteRejected(candidates: readonly RejectedCandidate[]): void;
  /** Opens what is new and closes what is gone. */
  setChannels(channels: readonly RouteChannel[]): void;
}
