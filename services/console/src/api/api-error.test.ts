import { ApiError, describeUnconfirmed, fieldAtFault, unreachable } from './api-error';

const refused = (param?: string) =>
  new ApiError({ status: 400, code: 'VALIDATION_ERROR', message: 'It is wrong.', param });

test("the API's param leads to the field that it speaks of", () => {
  const draft = { name: '', allowed_ips: [], pricing: { prompt: '' } };
  expect(fieldAtFault(refused('name'), draft)).toBe('name');
  expect(fieldAtFault(refused('allowed_ips[0]'), draft)).toBe('allowed_ips');
  expect(fieldAtFault(refused('pricing.prompt'), draft)).toBe('pricing.prompt');
});

test('what no field of the form can show is shown beside the form', () => {
  expect(fieldAtFault(refused('model'), { name: '' })).toBeUndefined();
  expect(fieldAtFault(refused(), { name: '' })).toBeUndefined();
  expect(fieldAtFault(new Error('no network'), { name: '' })).toBeUndefined();
});

test('only a change that nothing answered is to be confirmed by another press', () => {
  expect(describeUnconfirmed(unreachable(), 'Grant credit')).toBe(
    'Not confirmed. Press Grant credit again when it answers; it is not done twice.',
  );
  expect(describeUnconfirmed(refused(), 'Grant credit')).toBeUndefined();
  expect(describeUnconfirmed(new Error('no network'), 'Grant credit')).toBeUndefined();
});
