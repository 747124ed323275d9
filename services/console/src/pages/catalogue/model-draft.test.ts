import type { Model } from '../../api/schemas';
import { EMPTY_MODEL, MODEL_RULES, toModelBody, toModelDraft } from './model-draft';

test('a model goes to the form and back without a change', () => {
  const model = {
    id: 'small',
    description: 'Small.',
    context_length: 1000,
    max_completion_tokens: 100,
    pricing: { currency: 'USD', prompt: '0.10', completion: '0.40', cached_prompt: '0.05' },
    capabilities: ['tools'],
  } as unknown as Model;
  expect(toModelBody(toModelDraft(model))).toEqual({
    description: 'Small.',
    context_length: 1000,
    max_completion_tokens: 100,
    pricing: { prompt: '0.10', completion: '0.40', cached_prompt: '0.05' },
    capabilities: ['tools'],
  });
});

test('a price for cached prompts may be left to the API', () => {
  const pricing = { prompt: ' 1 ', completion: '2', cached_prompt: '' };
  expect(toModelBody({ ...EMPTY_MODEL, pricing }).pricing).toEqual({
    prompt: '1',
    completion: '2',
  });
});

test('an answer is no longer than the context, and names are those of the API', () => {
  const draft = { ...EMPTY_MODEL, context_length: '100' };
  expect(MODEL_RULES.max_completion_tokens('101', draft)).toBe('At most the context');
  expect(MODEL_RULES.max_completion_tokens('100', draft)).toBeNull();
  expect(MODEL_RULES.name('Small Chat')).not.toBeNull();
  expect(MODEL_RULES.name('small-chat-4.1')).toBeNull();
});
