import type { Logger, Nano, TokenCounts, UnitPrices } from '@tollgate/core';
import { takesThoughts, withoutThoughts } from '../domain/earlier-thoughts';
import {
  type AcceptedUsage,
  acceptPrompt,
  acceptUsage,
  type UsageBounds,
  type VendorUsage,
} from '../domain/vendor-usage';
import type { Candidate } from '../routing/candidate';
import type { TokenCounter } from '../usage/count';
import type { DeliveredText } from '../usage/delivered-text';
import { estimateTokens, mediaTokensMax } from '../usage/estimate';
import type { AttemptLog } from './attempt-log';
import { type CompletionRequest, promptTextBytesOf, promptWeightOf } from './request';

/** A request when its last vendor call is over. */
export interface FinishedRequest {
  readonly request: CompletionRequest;
  /** The channel that was called last. */
  readonly candidate: Candidate;
  /** Of its tokens. */
  readonly prices: UnitPrices;
  readonly reserved: Nano;
  readonly text: DeliveredText;
  readonly attempts: AttemptLog;
  /** Monotonic. */
  readonly startedMs: number;
  readonly firstTokenMs: number | undefined;
}

/** What the vendor of the last call did, as far as it is known. */
export interface VendorWork {
  /** The vendor's count, if it counted all of the answer. */
  readonly usage: VendorUsage | undefined;
  /** The vendor's count where it is of more, or less, than is charged: only its prompt is taken. */
  readonly partUsage?: VendorUsage | undefined;
  /** The vendor got the request, so it may have worked whatever came of it. */
  readonly mayHaveWorked: boolean;
}

/** What vendors worked for a request, whoever pays it. */
export interface WorkedTokens {
  /** Of the last call. */
  readonly tokens: TokenCounts;
  /** Of the prompt, which each call that may have worked was given. */
  readonly promptTokens: number;
  /** The vendor's own counts, where they are believable. */
  readonly exact: AcceptedUsage | undefined;
  /** The vendor counted the prompt, though not the answer. */
  readonly isPromptExact?: boolean;
}

interface CountDependencies {
  readonly tokens: TokenCounter;
  readonly logger: Logger;
}

export const NO_TOKENS: TokenCounts = { prompt: 0, completion: 0, cached: 0 };

/** The vendor's counts hold when they are believable, otherwise ours do: those take a while. */
export async function workedTokensOf(
  deps: CountDependencies,
  work: VendorWork,
  finished: FinishedRequest,
): Promise<WorkedTokens> {
  const { attempts, candidate, request, text } = finished;
  const bounds: UsageBounds = {
    promptTextBytes: promptTextBytesOf(request),
    mediaTokensMax: mediaTokensMax(request.media),
    messageCount: request.messageCount,
    completionTokensMax:
      request.embedding === undefined ? candidate.model.completionTokensMax * request.choices : 0,
    receivedText: text.bytes > 0,
  };
  const exact = acceptUsage(work.usage, bounds);
  if (exact !== undefined) return { tokens: exact, promptTokens: exact.prompt, exact };
  if (!work.mayHaveWorked && text.bytes === 0) {
    const isPaidFor = attempts.paidByOperator.length > 0;
    const promptTokens = isPaidFor ? await countPrompt(deps, finished) : 0;
    return { tokens: NO_TOKENS, promptTokens, exact };
  }
  const prompt = acceptPrompt(work.partUsage, bounds);
  const tokens = await countTokens(deps, finished, prompt);
  return { tokens, promptTokens: tokens.prompt, exact, isPromptExact: prompt !== undefined };
}

/** The prompt is what its vendor counted, where it said so before the answer ended. */
async function countTokens(
  deps: CountDependencies,
  finished: FinishedRequest,
  vendorPrompt: TokenCounts | undefined,
): Promise<TokenCounts> {
  const [prompt, completion] = await Promise.all([
    vendorPrompt?.prompt ?? countPrompt(deps, finished),
    countAnswer(deps, finished),
  ]);
  const { cached = 0, cacheWrite } = vendorPrompt ?? {};
  return { prompt, completion, cached, cacheWrite };
}

function countPrompt(
  deps: CountDependencies,
  { candidate: { channel }, request }: FinishedRequest,
): Promise<number> {
  const { caller, media, parameters } = request;
  // Other vendors get no thoughts of before, or leave them out of what they count.
  const messages = takesThoughts(channel) ? request.messages : withoutThoughts(request.messages);
  const { capabilityMembers } = parameters;
  return deps.tokens
    .countPrompt(messages, capabilityMembers, caller.accountId)
    .catch((error: unknown) => {
      warnOfEstimate(deps, request, error);
      const texts = media.files + media.images > 0 ? [] : [messages, capabilityMembers];
      return estimateTokens(promptWeightOf(request), texts);
    });
}

function countAnswer(deps: CountDependencies, { request, text }: FinishedRequest): Promise<number> {
  const answers = text.texts();
  return deps.tokens.countAnswer(answers, request.caller.accountId).catch((error: unknown) => {
    warnOfEstimate(deps, request, error);
    return estimateTokens(
      text.bytes,
      answers.map((answer) => Buffer.from(answer)),
    );
  });
}

/** A request ends in any case. */
function warnOfEstimate(
  { logger }: CountDependencies,
  { requestId }: CompletionRequest,
  error: unknown,
): void {
  logger.warn({ error, requestId }, 'tokens were not counted but estimated from the bytes');
}
