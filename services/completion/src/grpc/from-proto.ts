import {
  AppError,
  CHOICES_MAX,
  FALLBACK_MODELS_MAX,
  nano,
  RECORD_CODE_LENGTH_MAX,
  RECORD_NAME_LENGTH_MAX,
  REQUESTED_MODEL_LENGTH_MAX,
} from '@tollgate/core';
import type { completionV1 } from '@tollgate/protos';
import { type CallInfo, fromCompletionPeriod, fromProtoText } from '@tollgate/rpc';
import type { CallParameters, Embedding } from '../domain/vendor';
import type { Caller, CompletionRequest } from '../operations/request';
import type { PromptMedia } from '../usage/estimate';

/** How long the client waits, and whether it left: from the frames of a session, or from the call. */
export type DeadlineAndSignal = Pick<CallInfo, 'deadlineMs' | 'signal'>;

/** The request, with what the gateway promises about it checked once more where it is cheap. */
export function fromProtoInput(
  input: completionV1.CompletionInput | undefined,
  context: DeadlineAndSignal,
): CompletionRequest {
  if (input?.caller === undefined || input.requestId === '' || input.caller.accountId === '') {
    throw new AppError('INTERNAL_ERROR', { internalMessage: 'a completion without its caller' });
  }
  const { parameters } = input;
  return {
    requestId: input.requestId,
    traceparent: fromProtoText(input.traceparent),
    clientRequestId: fromProtoText(input.clientRequestId),
    limitsLeft:
      input.limitsLeft === '' ? undefined : input.limitsLeft.slice(0, RECORD_CODE_LENGTH_MAX),
    ignoredMembers: fromProtoText(input.ignoredMembers)?.slice(0, RECORD_NAME_LENGTH_MAX),
    caller: fromProtoCaller(input.caller),
    model: input.model.slice(0, REQUESTED_MODEL_LENGTH_MAX),
    fallbackModels: input.fallbackModels.slice(0, FALLBACK_MODELS_MAX),
    messages: input.messages,
    messageCount: input.messageCount,
    media: fromProtoMedia(input),
    parameters: fromProtoParameters(parameters),
    maxTokens: parameters?.maxTokens,
    capabilities: parameters?.requiredCapabilities ?? [],
    capabilityParam: parameters?.capabilityParam ?? '',
    choices: choicesOf(parameters),
    embedding: fromProtoEmbedding(input),
    costMax: input.maxCost === undefined ? undefined : nano(input.maxCost),
    isKept: input.keeping !== undefined,
    deadlineMs: context.deadlineMs,
    signal: context.signal,
  };
}

function fromProtoEmbedding({
  embedding,
  messageCount,
}: completionV1.CompletionInput): Embedding | undefined {
  return embedding && { dimensions: embedding.dimensions, inputs: messageCount };
}

/** The data is a part of the messages, whatever the peer says. */
function fromProtoMedia({ media, messages }: completionV1.CompletionInput): PromptMedia {
  const { bytes = 0, files = 0, images = 0 } = media ?? {};
  return { bytes: Math.min(bytes, messages.length), images, files };
}

function fromProtoCaller(caller: completionV1.Caller): Caller {
  const { maxBudget } = caller;
  return {
    accountId: caller.accountId,
    keyId: caller.keyId,
    userId: fromProtoText(caller.userId),
    operator: caller.operator,
    models: caller.models,
    accountModels: caller.accountModels,
    discount: caller.discount,
    // The released name of the member in keys and bodies; in the code a set of channels is a group.
    keyGroups: caller.pools,
    grantedGroups: caller.grantedGroups,
    budget:
      maxBudget === undefined
        ? undefined
        : {
            keyId: caller.keyId,
            limit: nano(maxBudget),
            period: fromCompletionPeriod(caller.budgetPeriod),
          },
  };
}

// Read from the very bytes that the vendor gets, so that no peer can ask for more than is reserved.
function choicesOf(parameters: completionV1.Parameters | undefined): number {
  if (parameters?.requiredCapabilities.includes('n') !== true) return 1;
  const { n } = JSON.parse(parameters.capabilityMembers.toString()) as { readonly n?: unknown };
  if (typeof n === 'number' && Number.isInteger(n) && n >= 1 && n <= CHOICES_MAX) return n;
  throw new AppError('INTERNAL_ERROR', { internalMessage: 'a number of choices out of range' });
}

function fromProtoParameters(parameters: completionV1.Parameters | undefined): CallParameters {
  return {
    temperature: parameters?.temperature,
    topP: parameters?.topP,
    stop: parameters?.stop ?? [],
    presencePenalty: parameters?.presencePenalty,
    frequencyPenalty: parameters?.frequencyPenalty,
    seed: parameters?.seed,
    user: parameters?.user ?? '',
    capabilityMembers: parameters?.capabilityMembers ?? Buffer.alloc(0),
    cacheMarks: parameters?.cacheMarks ?? [],
    thinkingBudget: parameters?.thinkingBudget,
  };
}
