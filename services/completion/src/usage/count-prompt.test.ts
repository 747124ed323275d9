import { seededRandom } from '@tollgate/core';
import { countPromptText } from './count-prompt';

const NO_BYTES = Buffer.alloc(0);
const byWord = (text: string) => text.split(' ').filter((word) => word !== '').length;

it('counts every text of a prompt, and the members that only some channels take', () => {
  const messages = [
    { role: 'system', content: 'a b' },
    { role: 'user', content: 'c', name: 'd' },
  ];
  const capabilityMembers = Buffer.from('{"tools": [] }');
  const tokens = countPromptText(
    byWord,
    Buffer.from(JSON.stringify(messages)),
    capabilityMembers,
    () => 0,
  );
  expect(tokens).toBe(3 + 2 * 4 + 4 + 3);
});

it('counts no more of a prompt than of one text, however many messages it has', () => {
  const content = 'The quick brown fox jumps over the lazy dog. '.repeat(100);
  const messages = Array.from({ length: 100 }, () => ({ role: 'user', content }));
  let characters = 0;
  const count = (piece: string) => {
    characters += piece.length;
    return piece.length;
  };
  const json = Buffer.from(JSON.stringify(messages));
  const tokens = countPromptText(count, json, NO_BYTES, seededRandom(7));
  expect([tokens, characters]).toEqual([3 + 100 * 4 + 100 * content.length, 64_000]);
});

it('counts what was thought before, and neither its signature nor what is kept secret', () => {
  const thoughts = [
    { type: 'thinking', thinking: 'e f', signature: 'g h i' },
    { type: 'redacted_thinking', data: 'k l m n' },
  ];
  const messages = [{ role: 'assistant', content: 'a b', thinking_blocks: thoughts }];
  const tokens = countPromptText(byWord, Buffer.from(JSON.stringify(messages)), NO_BYTES, () => 0);
  expect(tokens).toBe(3 + 4 + 2 + 2);
});

it('counts images and files as usual ones, and their data as nothing', () => {
  const data = `data:image/png;base64,${'A'.repeat(100_000)}`;
  const part = { type: 'text', text: 'one two' };
  const image = { type: 'image_url', image_url: { url: data } };
  const countOf = (content: unknown) =>
    countPromptText(
      (text) => text.split(' ').length,
      Buffer.from(JSON.stringify([{ role: 'user', content }])),
      NO_BYTES,
      () => 0,
    );
  expect(countOf([part, image])).toBe(countOf('one two') + 2000);
  const low = { type: 'image_url', image_url: { url: data, detail: 'low' } };
  expect(countOf([part, image, low, low])).toBe(countOf('one two') + 2000 + 2 * 85);
});
