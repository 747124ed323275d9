import type { Model } from '../../api/schemas';
import {
  EMPTY_MODEL,
  followersOf,
  MODEL_RULES,
  toModelChanges,
  toModelDraft,
  toNewModel,
} from './model-draft';

const PRICES = {
  prompt: '0.10',
  completion: '0.40',
  cached_prompt: '0.05',
  cache_write: '0.125',
};
// What the form shows; the API says more of a model.
const MODEL = {
  id: 'small',
  kind: 'embedding',
  description: 'Small.',
  context_length: 1000,
  max_completion_tokens: 100,
  pricing: { currency: 'USD', ...PRICES },
  capabilities: ['tools'],
} as Model;

test('a model goes to the form and back without a change', () => {
  expect(toModelChanges(toModelDraft(MODEL), MODEL)).toEqual({});
});

test('a change names what differs alone: prices that were not written stay as they are', () => {
  const draft = toModelDraft(MODEL);
  expect(toModelChanges({ ...draft, description: ' Smaller. ' }, MODEL)).toEqual({
    description: 'Smaller.',
  });
  const pricing = { ...draft.pricing, prompt: ' 0.12 ' };
  expect(toModelChanges({ ...draft, pricing }, MODEL)).toEqual({ pricing: { prompt: '0.12' } });
});

test('a price that is emptied is that of the prompt', () => {
  const draft = toModelDraft(MODEL);
  const pricing = { ...draft.pricing, prompt: '3', cached_prompt: ' ' };
  expect(toModelChanges({ ...draft, pricing }, MODEL)).toEqual({
    pricing: { prompt: '3', cached_prompt: '3' },
  });
});

test('an embedding model is added without a price of a completion', () => {
  const draft = { ...EMPTY_MODEL, kind: 'embedding' as const };
  expect(MODEL_RULES.pricing.completion('', draft)).toBeNull();
  expect(MODEL_RULES.pricing.completion('', EMPTY_MODEL)).not.toBeNull();
  expect(toNewModel(draft).pricing.completion).toBe('0');
});

test('prices for cached prompts and for cache writes may be left to the API', () => {
  const pricing = { prompt: ' 1 ', completion: '2', cached_prompt: '', cache_write: ' ' };
  expect(toNewModel({ ...EMPTY_MODEL, pricing }).pricing).toEqual({
    prompt: '1',
    completion: '2',
  });
});

test('prices of a cache that are the price of the prompt go with it', () => {
  const pricing = { ...PRICES, cached_prompt: PRICES.prompt, cache_write: PRICES.prompt };
  const model = { ...MODEL, pricing } as Model;
  const draft = toModelDraft(model);
  const raised = { ...draft, pricing: { ...draft.pricing, prompt: '3' } };
  expect(draft.pricing).toMatchObject({ cached_prompt: '', cache_write: '' });
  // The API takes them along.
  expect(toModelChanges(raised, model)).toEqual({ pricing: { prompt: '3' } });
});

test('an answer is no longer than the context, and names are those of the API', () => {
  const draft = { ...EMPTY_MODEL, context_length: '100' };
  expect(MODEL_RULES.max_completion_tokens('101', draft)).toBe('At most the context');
  expect(MODEL_RULES.max_completion_tokens('100', draft)).toBeNull();
  expect(MODEL_RULES.name('Small Chat')).not.toBeNull();
  expect(MODEL_RULES.name('small-chat-4.1')).toBeNull();
});

test('a price of the prompt takes with it those that were not given', () => {
  const draft = toModelDraft(MODEL);
  expect(followersOf(draft, 'prompt')).toEqual([]);
  const bare = { ...draft, pricing: { ...draft.pricing, cached_prompt: '', cache_write: '' } };
  expect(followersOf(bare, 'prompt')).toEqual(['cached_prompt', 'cache_write']);
  expect(followersOf(bare, 'completion')).toEqual([]);
});
