import type { Model, ModelChanges, NewModel } from '../../api/schemas';
import { isAmount, isWholeFrom, optional } from '../../components/checks';
import { changedFields } from '../../components/drafts';

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
    completion: (value: string, { kind }: ModelDraft) =>
      kind === 'embedding' ? null : isAmount(value),
    cached_prompt: optional(isAmount),
    cache_write: optional(isAmount),
  },
};

/** The body that adds the model: the API has a default for what is left out. */
export function toNewModel(draft: ModelDraft): NewModel {
  const { prompt, completion, cached_prompt, cache_write } = trimPrices(draft.pricing);
  return {
    name: draft.name,
    kind: draft.kind,
    ...toSettings(draft),
    pricing: {
      prompt,
      // The API wants one of an embedding model too, which has no meaning.
      completion: draft.kind === 'embedding' ? '0' : completion,
      ...(cached_prompt === '' ? {} : { cached_prompt }),
      ...(cache_write === '' ? {} : { cache_write }),
    },
  };
}

/**
 * What differs from the model as it is: a price that is not named stays, and so does who set it. A
 * price that was emptied is that of the prompt.
 */
export function toModelChanges(draft: ModelDraft, model: Model): ModelChanges {
  const before = toModelDraft(model);
  const after = trimPrices(draft.pricing);
  const prices = Object.entries(changedFields(before.pricing, after)).map(
    ([name, price]) => [name, price || after.prompt] as const,
  );
  return {
    ...changedFields(toSettings(before), toSettings(draft)),
    ...(prices.length === 0 ? {} : { pricing: Object.fromEntries(prices) }),
  };
}

function toSettings(draft: ModelDraft) {
  return {
    description: draft.description.trim(),
    context_length: Number(draft.context_length),
    max_completion_tokens: Number(draft.max_completion_tokens),
    capabilities: draft.capabilities,
  };
}

function trimPrices({ prompt, completion, cached_prompt, cache_write }: ModelDraft['pricing']) {
  return {
    prompt: prompt.trim(),
    completion: completion.trim(),
    cached_prompt: cached_prompt.trim(),
    cache_write: cache_write.trim(),
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
