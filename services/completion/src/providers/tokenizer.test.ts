import { createTokenizerThread, type TokenizerThread } from './tokenizer';

let tokenizer: TokenizerThread;
beforeEach(() => {
  tokenizer = createTokenizerThread();
});
afterEach(() => tokenizer.close());

const NOTHING = Buffer.alloc(0);

it('counts prompts and answers, text that looks like a control token included', async () => {
  const messages = Buffer.from('[{"role":"user","content":"Hello <|endoftext|>"}]');
  const [prompt, answer] = await Promise.all([
    tokenizer.countPrompt(messages, NOTHING),
    tokenizer.countAnswer(['Hello there', 'Hello']),
  ]);
  expect(prompt).toBeGreaterThan(3 + 4 + 1);
  expect(answer).toBe(3);
});

it('lets its owner go on while it counts a million letters', async () => {
  const content = 'qzjxkvbw'.repeat(125_000);
  const messages = Buffer.from(JSON.stringify([{ role: 'user', content }]));
  let isCounted = false;
  const counted = tokenizer.countPrompt(messages, NOTHING).then((tokens) => {
    isCounted = true;
    return tokens;
  });
  let turns = 0;
  while (!isCounted) {
    await new Promise((resolve) => setImmediate(resolve));
    turns += 1;
  }
  expect(turns).toBeGreaterThan(10);
  expect(await counted).toBeGreaterThan(100_000);
});

it('says that it could not count, and counts what comes after', async () => {
  await expect(tokenizer.countPrompt(Buffer.from('{'), NOTHING)).rejects.toThrow();
  await expect(tokenizer.countAnswer(['Hello'])).resolves.toBe(1);
});

it('counts nothing for those who still wait when it is closed', async () => {
  const asked = tokenizer.countAnswer(['Hello']);
  const refused = expect(asked).rejects.toThrow('stops');
  await tokenizer.close();
  await refused;
});
