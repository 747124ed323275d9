import { checkSettings, completeNewSettings } from './endpoint-settings';

test.each([
  ['no url', { events: ['balance.low'] }, 'url'],
  ['a url without end', { url: `http://a/${'x'.repeat(2048)}`, events: ['balance.low'] }, 'url'],
  ['no event', { url: 'http://a', events: [] }, 'events'],
  ['an event that does not exist', { url: 'http://a', events: ['balance.high'] }, 'events'],
  [
    'a description without end',
    { url: 'http://a', events: ['balance.low'], description: 'x'.repeat(501) },
    'description',
  ],
  [
    'a status that only we set',
    { url: 'http://a', events: ['balance.low'], status: 'auto_disabled' },
    'status',
  ],
] as const)('settings with %s are refused by field', (_name, settings, param) => {
  let refusal: unknown;
  try {
    completeNewSettings(settings);
  } catch (error) {
    refusal = error;
  }
  expect(refusal).toMatchObject({ code: 'VALIDATION_ERROR', param });
});

test('what a change leaves out keeps its value, and an event counts once', () => {
  const present = completeNewSettings({ url: 'http://a', events: ['balance.low', 'balance.low'] });
  expect(present.events).toEqual(['balance.low']);
  expect(checkSettings(present, { description: 'new' })).toEqual({
    ...present,
    description: 'new',
  });
});
