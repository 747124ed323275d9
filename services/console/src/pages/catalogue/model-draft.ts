import type { Model, NewModel } from '../../api/schemas';
import { isAmount, isWholeFrom, optional } from '../../components/checks';

/** A model of the catalogue as the form holds it; prices are for a million tokens. */
export interface ModelDraft {
  name: string;
  /** What the model answers; it cannot be changed. */
  kind: Model['kind'];
  description: string;
  context_length: string;
  max_completion_tokens: string;
  /** An empty `cached_prompt` or `cache_write` is the price of the prompt. */
  pricing: { prompt: string; completion: string; cached_prompt: string; cache_write: string };
  capabilities: string[];
}

/** One of the prices of a model. */
export type PriceName = keyof ModelDraft['pricing'];

export const EMPTY_MODEL: ModelDraft = {
  name: '',
  kind: 'chat',
  description: '',
  context_length: '128000',
  max_completion_tokens: '4096',
  pricing: { prompt: '', completion: '', cached_prompt: '', cache_write: '' },
  capabilities: [],
};

export const KIND_NAMES: Readonly<Record<Model['kind'], string>> = {
  chat: 'Chat',
  embedding: 'Embedding',
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
    cache_write: optional(isAmount),
  },
};

/** The whole body, because it replaces the model: the API has a default for what is left out. */
export function toModelBody(draft: ModelDraft): Omit<NewModel, 'name'> {
  const { prompt, completion, cached_prompt, cache_write } = draft.pricing;
  const cached = cached_prompt.trim();
  const write = cache_write.trim();
  return {
    kind: draft.kind,
    description: draft.description.trim(),
    context_length: Number(draft.context_length),
    max_completion_tokens: Number(draft.max_completion_tokens),
    pricing: {
      prompt: prompt.trim(),
      completion: completion.trim(),
      ...(cached === '' ? {} : { cached_prompt: cached }),
      ...(write === '' ? {} : { cache_write: write }),
    },
    capabilities: draft.capabilities,
  };
}

export function toModelDraft(model: Model): ModelDraft {
  const {
    prompt = '',
    completion = '',
    cached_prompt = '',
    cache_write = '',
  } = model.pricing ?? {};
  return {
    name: model.id,
    kind: model.kind,
    description: model.description,
    context_length: String(model.context_length ?? ''),
    max_completion_tokens: String(model.max_completion_tokens ?? ''),
    pricing: {
      prompt,
      completion,
      // The API does not say whether they were given: the price of the prompt goes with the prompt.
      cached_prompt: cached_prompt === prompt ? '' : cached_prompt,
      cache_write: cache_write === prompt ? '' : cache_write,
    },
    capabilities: model.capabilities,
  };
}

/** The prices that go with another, because they have none of their own. */
export function followersOf(draft: ModelDraft, price: PriceName): readonly PriceName[] {
  if (price !== 'prompt') return [];
  return (['cached_prompt', 'cache_write'] as const).filter((name) => draft.pricing[name] === '');
}
