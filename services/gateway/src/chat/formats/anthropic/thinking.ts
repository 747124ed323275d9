import { type JsonObject, THINKING_TOKENS_BY_EFFORT } from '@tollgate/core';
import { refuse } from '../../../http/errors';
import type { ReasoningEffort } from '../canonical';
import { optionalObject, refuseOthers } from '../fields';
import { CHAT_LIMITS } from '../shared-fields';
import { MESSAGES_LIMITS } from './schema';

/** How much to think, as this format says it: in tokens, or that the model shall decide. */
export interface Thinking {
  /** The word for it, for vendors that are told in words; undefined when it says nothing. */
  readonly effort: ReasoningEffort | undefined;
  /** 0 asks for no thoughts; undefined leaves it to the effort. */
  readonly budget: number | undefined;
}

const FIELDS = new Set(['type', 'budget_tokens', 'display']);
/** What the format means where no effort stands beside it. */
const ADAPTIVE_EFFORT = 'high';

/** Checks `thinking`; `maxTokens` is undefined for a count of tokens. */
export function readThinking(body: JsonObject, maxTokens: number | undefined): Thinking {
  const thinking = optionalObject(body, 'thinking');
  if (thinking === undefined) return { effort: undefined, budget: undefined };
  refuseOthers(thinking, FIELDS, 'thinking');
  const { display } = thinking;
  if (display !== undefined && display !== null && display !== 'summarized') {
    throw refuse('thinking.display', 'must be summarized: thoughts that a vendor tells are shown.');
  }
  switch (thinking.type) {
    case 'disabled':
      return { effort: undefined, budget: 0 };
    case 'adaptive':
      return { effort: ADAPTIVE_EFFORT, budget: undefined };
    case 'enabled': {
      const budget = budgetIn(thinking, maxTokens);
      return { effort: effortOf(budget), budget };
    }
    default:
      throw refuse('thinking.type', 'must be enabled, adaptive or disabled.');
  }
}

function budgetIn(thinking: JsonObject, maxTokens: number = CHAT_LIMITS.maxTokensMax): number {
  const { budget_tokens: budget } = thinking;
  const { thinkingBudgetMin: min } = MESSAGES_LIMITS;
  const isNumber = typeof budget === 'number' && Number.isInteger(budget);
  if (isNumber && budget >= min && budget < maxTokens) return budget;
  throw refuse('thinking.budget_tokens', `must be an integer from ${min} and below max_tokens.`);
}

function effortOf(budget: number): ReasoningEffort {
  const { high, medium } = THINKING_TOKENS_BY_EFFORT;
  if (budget < medium) return 'low';
  return budget < high ? 'medium' : 'high';
}
