import { printAnswer, printFailure } from './ask-product';

const ESC = '\u001b';

test('what tenants wrote cannot move the cursor, add a line or turn the reading direction', () => {
  const forged = { metadata: { [`a${ESC}`]: `${ESC}[2K\nstatus: active`, b: '\u202egnp' } };
  expect(printAnswer(forged, false).message).toBe(
    'metadata:\n  a\\u001b: \\u001b[2K\\u000astatus: active\n  b: \\u202egnp\n',
  );
  expect(printFailure(new Error(`no ${ESC}[31m`), false).message).toBe(
    'not done: no \\u001b[31m\n',
  );
  expect(JSON.parse(printAnswer(forged, true).message)).toEqual(forged);
});

test('what is empty is left out for people, and kept for programs', () => {
  const story = { id: 'req_1', param: null, rejected: [], now: { balance: null } };
  expect(printAnswer(story, false).message).toBe('id: req_1\n');
  expect(JSON.parse(printAnswer(story, true).message)).toEqual(story);
});
