import { splitModelName } from './model-names';

test.each([
  ['small-chat', undefined, 'small-chat'],
  ['fast:small-chat', 'fast', 'small-chat'],
  ['fast:a:b', 'fast', 'a:b'],
  [':auto', '', 'auto'],
])('%s names a model and perhaps a group', (text, group, name) => {
  expect(splitModelName(text)).toEqual({ group, name });
});
