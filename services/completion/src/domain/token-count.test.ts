import { countPromptStepwise, createTextMeter, PIECE_CHARACTERS } from './token-count';

const byWord = (text: string) => text.split(' ').filter((word) => word !== '').length;

it('never gives the tokenizer more than a piece', () => {
  const lengths: number[] = [];
  const count = (text: string) => {
    lengths.push(text.length);
    return 1;
  };
  const meter = createTextMeter(count);
  meter.add('x'.repeat(PIECE_CHARACTERS * 3 + 5));
  expect(meter.tokens()).toBe(4);
  const messages = Buffer.from(JSON.stringify([{ role: 'user', content: 'y'.repeat(9000) }]));
  for (const _ of countPromptStepwise(count, messages, Buffer.alloc(0))) {
    // Each step counts one piece.
  }
  expect(Math.max(...lengths)).toBeLessThanOrEqual(PIECE_CHARACTERS);
});

it('counts a text that grows without counting its pieces twice', () => {
  let calls = 0;
  const meter = createTextMeter((text) => {
    calls += 1;
    return byWord(text);
  });
  meter.add('one ');
  meter.add('two');
  expect([meter.tokens(), meter.tokens(), calls]).toEqual([2, 2, 1]);
  meter.add(' three');
  expect([meter.tokens(), meter.characters]).toEqual([3, 13]);
});

it('counts each word of a long text once, however often it is asked', () => {
  let counted = 0;
  const meter = createTextMeter((text) => {
    counted += text.length;
    return byWord(text);
  });
  for (let words = 1; words <= 5000; words += 1) {
    meter.add(words % 7 === 0 ? ' word\n' : ' word');
    if (words % 50 === 0) expect(meter.tokens()).toBe(words);
  }
  expect(counted).toBeLessThan(meter.characters * 1.1);
});

it('counts nothing before it is asked', () => {
  let calls = 0;
  const meter = createTextMeter(() => {
    calls += 1;
    return 1;
  });
  meter.add('x'.repeat(PIECE_CHARACTERS * 3));
  expect(calls).toBe(0);
});

it('counts every text of a prompt, and the members that only some channels take', () => {
  const messages = [
    { role: 'system', content: 'a b' },
    { role: 'user', content: 'c', name: 'd' },
  ];
  const steps = countPromptStepwise(
    byWord,
    Buffer.from(JSON.stringify(messages)),
    Buffer.from('{"tools": [] }'),
  );
  let step = steps.next();
  while (!step.done) step = steps.next();
  expect(step.value).toBe(3 + 2 * 4 + 4 + 3);
});
