import { AppError, nano } from '@tollgate/core';
import { completionV1 } from '@tollgate/protos';
import type { CallInfo } from '@tollgate/rpc';
import type { Caller, CompletionRequest } from '../domain/completion-request';
import type { BudgetPeriod } from '../domain/usage-record';
import type { CallParameters } from '../domain/vendor';

const NAME_LENGTH_MAX = 256;
const CHOICES_MAX = 128;

/** What the transport says about a call; in a Session the frames say it. */
export type CallContext = Pick<CallInfo, 'deadlineMs' | 'signal'>;

/** The request, with what the gateway promises about it checked once more where it is cheap. */
export function fromProtoInput(
  input: completionV1.CompletionInput | undefined,
  context: CallContext,
): CompletionRequest {
  if (input?.caller === undefined || input.requestId === '' || input.caller.accountId === '') {
    throw new AppError('INTERNAL_ERROR', { internalMessage: 'a completion without its caller' });
  }
  const { parameters } = input;
  return {
    requestId: input.requestId,
    clientRequestId: input.clientRequestId === '' ? null : input.clientRequestId,
    caller: fromProtoCaller(input.caller),
    model: input.model.slice(0, NAME_LENGTH_MAX),
    messages: input.messages,
    messageCount: input.messageCount,
    parameters: fromProtoParameters(parameters),
    maxTokens: parameters?.maxTokens,
    capabilities: parameters?.requiredCapabilities ?? [],
    capabilityParam: parameters?.capabilityParam ?? '',
    choices: choicesOf(parameters),
    deadlineMs: context.deadlineMs,
    signal: context.signal,
  };
}

function fromProtoCaller(caller: completionV1.Caller): Caller {
  const { maxBudget } = caller;
  return {
    accountId: caller.accountId,
    keyId: caller.keyId,
    userId: caller.userId === '' ? null : caller.userId,
    operator: caller.operator,
    models: caller.models,
    pools: caller.pools,
    grantedGroups: caller.grantedGroups,
    budget:
      maxBudget === undefined
        ? null
        : {
            keyId: caller.keyId,
            limit: nano(maxBudget),
            period: fromProtoPeriod(caller.budgetPeriod),
          },
  };
}

function fromProtoPeriod(period: completionV1.BudgetPeriod): BudgetPeriod {
  switch (period) {
    case completionV1.BudgetPeriod.DAY:
      return 'day';
    case completionV1.BudgetPeriod.WEEK:
      return 'week';
    case completionV1.BudgetPeriod.MONTH:
      return 'month';
    default:
      return 'none';
  }
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
  };
}
