import { areTools, createKeptDraft, EMPTY_DRAFT, isTemperature, toBody } from './draft';

test('what was left empty is left out', () => {
  expect(toBody({ ...EMPTY_DRAFT, prompt: 'Hello' })).toEqual({
    model: 'auto',
    messages: [{ role: 'user', content: 'Hello' }],
  });
});

test('numbers are numbers, and the system speaks first', () => {
  const draft = { ...EMPTY_DRAFT, system: ' Be brief. ', temperature: '0.2', maxTokens: '64' };
  expect(toBody({ ...draft, prompt: 'Hello' })).toEqual({
    model: 'auto',
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Hello' },
    ],
    temperature: 0.2,
    max_tokens: 64,
  });
});

test('a temperature is from 0 to 2', () => {
  expect(['0', '1.5', '2'].map(isTemperature)).toEqual([null, null, null]);
  for (const value of ['-1', '2.1', 'warm', '']) expect(isTemperature(value)).not.toBeNull();
});

test('tools and an image go along with the prompt', () => {
  const tools = '[{"type":"function","function":{"name":"weather"}}]';
  const image = 'data:image/png;base64,AAAA';
  expect(toBody({ ...EMPTY_DRAFT, prompt: 'What is this?', tools, image })).toEqual({
    model: 'auto',
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is this?' },
          { type: 'image_url', image_url: { url: image } },
        ],
      },
    ],
    tools: [{ type: 'function', function: { name: 'weather' } }],
  });
});

test('what is no list of named tools is said to be none, and is not sent', () => {
  expect(areTools('[{"type":"function","function":{"name":"weather"}}]')).toBeNull();
  for (const text of ['{', '{}', '[]', '[{"type":"function"}]', '[null]']) {
    expect(areTools(text)).not.toBeNull();
    expect(toBody({ ...EMPTY_DRAFT, prompt: 'Hello', tools: text })).not.toHaveProperty('tools');
  }
});

test('what was written is there again for the same person, but for its picture', () => {
  const kept = createKeptDraft();
  expect(kept.read('usr_1')).toBe(EMPTY_DRAFT);
  kept.keep('usr_1', { ...EMPTY_DRAFT, prompt: 'A long one', image: 'data:image/png;base64,AA' });
  expect(kept.read('usr_1')).toEqual({ ...EMPTY_DRAFT, prompt: 'A long one' });
  expect(kept.read('usr_2')).toBe(EMPTY_DRAFT);
});
