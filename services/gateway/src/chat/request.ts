import { completionV1 } from '@tollgate/protos';
import { actsAsOperator, type KeyBudget, type Principal } from '../auth/principal';
import type { ChatRequest } from './formats/openai/request';

/** The ids that a request is known by. */
export interface InputIds {
  readonly requestId: string;
  readonly clientRequestId: string;
}

/** What completion is asked: the checked request, and who asks. */
export function toCompletionInput(
  request: ChatRequest,
  principal: Principal,
  ids: InputIds,
): completionV1.CompletionInput {
  return {
    requestId: ids.requestId,
    clientRequestId: ids.clientRequestId,
    caller: callerOf(principal),
    model: request.model,
    messages: request.messages,
    parameters: request.parameters,
    promptCharacters: request.promptCharacters,
    messageCount: request.messageCount,
    // The plain calls carry deadline and trace context in metadata.
    deadlineMs: 0,
    traceparent: '',
  };
}

// A principal lives as long as its cache entry: its wire form is made once.
const callers = new WeakMap<Principal, completionV1.Caller>();

function callerOf(principal: Principal): completionV1.Caller {
  let caller = callers.get(principal);
  if (caller === undefined) {
    caller = toCaller(principal);
    callers.set(principal, caller);
  }
  return caller;
}

const PERIODS: Readonly<Record<KeyBudget['period'], completionV1.BudgetPeriod>> = {
  never: completionV1.BudgetPeriod.UNSPECIFIED,
  day: completionV1.BudgetPeriod.DAY,
  week: completionV1.BudgetPeriod.WEEK,
  month: completionV1.BudgetPeriod.MONTH,
};

function toCaller(principal: Principal): completionV1.Caller {
  const { accountId, keyId, userId, models, pools, grantedGroups, budget } = principal;
  return {
    accountId,
    keyId,
    userId,
    operator: actsAsOperator(principal),
    models: [...models],
    pools: [...pools],
    grantedGroups: [...grantedGroups],
    maxBudget: budget?.limitNano,
    budgetPeriod: PERIODS[budget?.period ?? 'never'],
  };
}
