import type { Model, NewModel } from '../../api/schemas';
import { isAmount, isWholeFrom, optional } from '../../components/checks';

/** A model of the catalogue as the form holds it; prices are for a million tokens. */
export interface ModelDraft {
  name: string;
  description: string;
  context_length: string;
  max_completion_tokens: string;
  pricing: { prompt: string; completion: string; cached_prompt: string };
  capabilities: string[];
}

export const EMPTY_MODEL: ModelDraft = {
  name: '',
  description: '',
  context_length: '128000',
  max_completion_tokens: '4096',
  pricing: { prompt: '', completion: '', cached_prompt: '' },
  capabilities: [],
};

const NAME = /^[a-z0-9][a-z0-9._-]{0,99}$/;
const TOKENS_MAX = 100_000_000;
const isTokens = isWholeFrom(1, TOKENS_MAX);

export const MODEL_RULES = {
  name: (value: string) =>
    NAME.test(value) ? null : 'Small letters, digits, dots, dashes and underscores',
  context_length: isTokens,
  max_completion_tokens: (value: string, draft: ModelDraft) =>
    isTokens(value) ??
    (Number(value) > Number(draft.context_length) ? 'At most the context' : null),
  pricing: {
    prompt: isAmount,
    completion: isAmount,
    cached_prompt: optional(isAmount),
  },
};

export function toModelBody(draft: ModelDraft): Omit<NewModel, 'name'> {
  const { prompt, completion, cached_prompt } = draft.pricing;
  const cached = cached_prompt.trim();
  return {
    description: draft.description.trim(),
    context_length: Number(draft.context_length),
    max_completion_tokens: Number(draft.max_completion_tokens),
    pricing: {
      prompt: prompt.trim(),
      completion: completion.trim(),
      ...(cached === '' ? {} : { cached_prompt: cached }),
    },
    capabilities: draft.capabilities,
  };
}

export function toModelDraft(model: Model): ModelDraft {
  return {
    name: model.id,
    description: model.description,
    context_length: String(model.context_length ?? ''),
    max_completion_tokens: String(model.max_completion_tokens ?? ''),
    pricing: {
      prompt: model.pricing?.prompt ?? '',
      completion: model.pricing?.completion ?? '',
      cached_prompt: model.pricing?.cached_prompt ?? '',
    },
    capabilities: model.capabilities,
  };
}
