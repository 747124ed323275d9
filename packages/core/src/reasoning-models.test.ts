import { refusesMaxTokens } from './reasoning-models';

test.each([
  ['o3-mini', [], true],
  ['gpt-5', [], true],
  ['openai/gpt-5.5', [], true],
  ['gpt-4.1', [], false],
  ['pogo1', [], false],
  ['my-deployment', ['tools'], false],
  ['my-deployment', ['tools', 'max_completion_tokens'], true],
])('of %s behind a channel with the capabilities %j: %s', (name, capabilities, refuses) => {
  expect(refusesMaxTokens({ capabilities }, name)).toBe(refuses);
});
