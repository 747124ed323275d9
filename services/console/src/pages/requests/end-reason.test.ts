import { sayEnd, toneOfEnd } from './end-reason';

test('an answer that was cut is neither good nor a failure', () => {
  expect(toneOfEnd('stop')).toBe('good');
  expect(toneOfEnd('client_gone')).toBe('warn');
  expect(toneOfEnd('vendor_error')).toBe('bad');
});

test('a reason of a later release is shown as it is, and not as success', () => {
  expect(toneOfEnd('something_new')).toBe('bad');
  expect(sayEnd('something_new')).toBe('something_new');
});
