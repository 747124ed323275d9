import { bodyWithoutThoughts, withoutThoughts } from './earlier-thoughts';

const THOUGHT = { role: 'assistant', content: 'Hi', thinking_blocks: [{ thinking: 'Hm.' }] };
const MESSAGES = Buffer.from(JSON.stringify([THOUGHT]));

it('messages without thoughts are kept for a body that holds them, and for nothing else', () => {
  const written = withoutThoughts(MESSAGES);
  expect(JSON.parse(written.toString())).toEqual([{ role: 'assistant', content: 'Hi' }]);
  expect(withoutThoughts(MESSAGES)).not.toBe(written);
  const body = bodyWithoutThoughts(MESSAGES);
  expect(body).toEqual(written);
  expect(bodyWithoutThoughts(MESSAGES)).toBe(body);
  expect(withoutThoughts(MESSAGES)).toBe(body);
});

it('what stands for the thoughts is written anew', () => {
  const retold = withoutThoughts(MESSAGES, () => ({ reasoning_content: 'Hm.' }));
  expect(JSON.parse(retold.toString())).toMatchObject([{ reasoning_content: 'Hm.' }]);
  expect(JSON.parse(withoutThoughts(MESSAGES).toString())).toHaveLength(1);
  expect(withoutThoughts(MESSAGES).includes('reasoning_content')).toBe(false);
});

it('messages that have none are the same bytes', () => {
  const messages = Buffer.from('[{"role":"user","content":"\\"thinking_blocks\\":"}]');
  expect(withoutThoughts(messages)).toBe(messages);
});
