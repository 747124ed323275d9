import { describeEnd, isNothing, nameEnd, toneOfEnd } from './end-reason';

test('an answer that was cut is neither good nor a failure', () => {
  expect(toneOfEnd('stop')).toBe('good');
  expect(toneOfEnd('client_gone')).toBe('warn');
  expect(toneOfEnd('vendor_error')).toBe('bad');
});

test('a reason of a later release is shown as it is, and not as success', () => {
  expect(toneOfEnd('something_new')).toBe('bad');
  expect(describeEnd('something_new', null)).toBe('something_new');
  expect(nameEnd('something_new', null)).toBe('Something new');
});

test('a vendor that fell silent did not break off', () => {
  expect(describeEnd('vendor_gone', 'UPSTREAM_TIMEOUT')).toContain('fell silent');
  expect(describeEnd('vendor_gone', 'UPSTREAM_ERROR')).toContain('broke off');
});

test('an ending is called by its error, and a vendor by one word', () => {
  expect(nameEnd('stop', null)).toBe('Succeeded');
  expect(nameEnd('vendor_error', 'UPSTREAM_ERROR')).toBe('Vendor error');
  expect(nameEnd('vendor_error', null)).toBe('Vendor error');
  expect(nameEnd('internal_error', 'DATABASE_ERROR')).toBe('Database error');
});

test('of a request that failed before anything was counted nothing is shown, not a zero', () => {
  const counted = { prompt_tokens: 12, completion_tokens: 0 };
  const none = { prompt_tokens: 0, completion_tokens: 0 };
  expect(isNothing({ status: 'failed', ...none })).toBe(true);
  expect(isNothing({ status: 'failed', ...counted })).toBe(false);
  expect(isNothing({ status: 'succeeded', ...none })).toBe(false);
});
