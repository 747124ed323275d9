import { ApiError, describeUnconfirmed, fieldAtFault, toApiError, unreachable } from './api-error';

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
  const attempt = { verb: 'Grant credit', isRepeatable: true };
  expect(describeUnconfirmed(unreachable(), attempt, false)).toBe(
    'Not confirmed. Press Grant credit again when it answers; it is not done twice.',
  );
  expect(describeUnconfirmed(unreachable(), attempt, true)).toBe(
    'Not confirmed. Press Grant credit again; it is not done twice.',
  );
  expect(describeUnconfirmed(refused(), attempt, true)).toBeUndefined();
  expect(describeUnconfirmed(new Error('no network'), attempt, true)).toBeUndefined();
});

test('what another press would do twice is checked first', () => {
  const attempt = { verb: 'Create key', isRepeatable: false };
  expect(describeUnconfirmed(unreachable(), attempt, false)).toBe(
    'Not confirmed. When it answers, check whether it was done before you press Create key again.',
  );
  expect(describeUnconfirmed(unreachable(), attempt, true)).toBe(
    'Not confirmed. Check whether it was done before you press Create key again.',
  );
});

test('how long to wait is read from the answer, where it says so', () => {
  const answer = (headers: Record<string, string>) => new Response(null, { status: 429, headers });
  expect(toApiError(answer({ 'Retry-After': '40' }), undefined).retryAfterS).toBe(40);
  expect(toApiError(answer({}), undefined).retryAfterS).toBeUndefined();
});
