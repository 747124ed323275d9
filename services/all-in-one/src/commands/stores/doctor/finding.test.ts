import { reasonOf } from './finding';

test.each([
  ['an error alone', new Error('refused\nand more'), 'refused'],
  [
    'its cause behind it',
    new Error('no answer', { cause: new Error('refused') }),
    'no answer: refused',
  ],
  [
    'no cause that its own message ends with',
    new Error('no server: refused', { cause: new Error('refused') }),
    'no server: refused',
  ],
  ['no cause that is no error', new Error('no server', { cause: { servers: 1 } }), 'no server'],
  ['what is no error as its text', 'refused', 'refused'],
])('the reason tells %s', (_what, error, reason) => {
  expect(reasonOf(error)).toBe(reason);
});
