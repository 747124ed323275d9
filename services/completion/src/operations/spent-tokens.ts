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

/** What the vendor worked for a request, whoever pays it. */
export interface SpentTokens {
  readonly tokens: TokenCounts;
  /** The vendor's own counts, where they are believable. */
  readonly exact: AcceptedUsage | undefined;
}

interface CountDependencies {
  readonly tokens: TokenCounter;
  readonly logger: Logger;
}

export const NO_TOKENS: TokenCounts = { prompt: 0, completion: 0, cached: 0 };

/** The vendor's counts hold when they are believable, otherwise ours do: those take a while. */
export async function spentOn(
  deps: CountDependencies,
  work: VendorWork,
  finished: FinishedRequest,
): Promise<SpentTokens> {
  const { candidate, request, text } = finished;
  const bounds: UsageBounds = {
    promptTextBytes: promptTextBytesOf(request),
    mediaTokensMax: mediaTokensMax(request.media),
    messageCount: request.messageCount,
    completionTokensMax:
      request.embedding === undefined ? candidate.model.completionTokensMax * request.choices : 0,
    receivedText: text.bytes > 0,
  };
  const exact = acceptUsage(work.usage, bounds);
  if (exact !== undefined) return { tokens: exact, exact };
  if (!work.mayHaveWorked && text.bytes === 0) return { tokens: NO_TOKENS, exact };
  const prompt = acceptPrompt(work.partUsage, bounds);
  return { tokens: await countTokens(deps, finished, prompt), exact };
}

/**
 * Counted, or estimated from the bytes when that fails: a request ends in any case. The prompt is
 * what its vendor counted, where it said so before the answer ended.
 */
async function countTokens(
  { logger, tokens }: CountDependencies,
  { candidate: { channel }, request, text }: FinishedRequest,
  vendorPrompt: TokenCounts | undefined,
): Promise<TokenCounts> {
  const { caller, media, parameters, requestId } = request;
  const { accountId } = caller;
  // Other vendors get no thoughts of before, or leave them out of what they count.
  const messages = takesThoughts(channel) ? request.messages : withoutThoughts(request.messages);
  const { capabilityMembers } = parameters;
  const promptTexts = [messages, capabilityMembers];
  const estimate = (bytes: number, textsOf: () => readonly Buffer[]) => (error: unknown) => {
    logger.warn({ error, requestId }, 'tokens were not counted but estimated from the bytes');
    return estimateTokens(bytes, textsOf());
  };
  const answers = text.texts();
  const countPrompt = () =>
    tokens
      .countPrompt(messages, capabilityMembers, accountId)
      .catch(
        estimate(promptWeightOf(request), () =>
          media.files + media.images > 0 ? [] : promptTexts,
        ),
      );
  const [prompt, completion] = await Promise.all([
    vendorPrompt?.prompt ?? countPrompt(),
    tokens
      .countAnswer(answers, accountId)
      .catch(estimate(text.bytes, () => answers.map((answer) => Buffer.from(answer)))),
  ]);
  const { cached = 0, cacheWrite } = vendorPrompt ?? {};
  return { prompt, completion, cached, cacheWrite };
}
