import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createFakeClock, type FakeClock, makeTemporaryDirectory } from '@tollgate/testkit';
import { createTokenizerThread, type TokenizerThread } from './tokenizer';

let clock: FakeClock;
let tokenizer: TokenizerThread;
beforeEach(() => {
  clock = createFakeClock();
  tokenizer = createTokenizerThread(clock);
});
afterEach(() => tokenizer.close());

const NOTHING = Buffer.alloc(0);
const ACCOUNT = 'acc_1';

it('counts prompts and answers, text that looks like a control token included', async () => {
  const messages = Buffer.from('[{"role":"user","content":"Hello <|endoftext|>"}]');
  const [prompt, answer] = await Promise.all([
    tokenizer.countPrompt(messages, NOTHING, ACCOUNT),
    tokenizer.countAnswer(['Hello there', 'Hello'], ACCOUNT),
  ]);
  expect(prompt).toBeGreaterThan(3 + 4 + 1);
  expect(answer).toBe(3);
});

it('lets its owner go on while it counts a million letters', async () => {
  const content = 'qzjxkvbw'.repeat(125_000);
  const messages = Buffer.from(JSON.stringify([{ role: 'user', content }]));
  let isCounted = false;
  const counted = tokenizer.countPrompt(messages, NOTHING, ACCOUNT).then((tokens) => {
    isCounted = true;
    return tokens;
  });
  let ticks = 0;
  while (!isCounted) {
    await new Promise((resolve) => setImmediate(resolve));
    ticks += 1;
  }
  expect(ticks).toBeGreaterThan(10);
  expect(await counted).toBeGreaterThan(100_000);
});

it('says that it could not count, and counts what comes after', async () => {
  await expect(tokenizer.countPrompt(Buffer.from('{'), NOTHING, ACCOUNT)).rejects.toThrow();
  await expect(tokenizer.countAnswer(['Hello'], ACCOUNT)).resolves.toBe(1);
});

it('counts every text of a flood', async () => {
  const asked = Array.from({ length: 500 }, () => tokenizer.countAnswer(['Hello there'], ACCOUNT));
  expect(new Set(await Promise.all(asked))).toEqual(new Set([2]));
});

it('counts what is charged before what clients ask for', async () => {
  const messages = Buffer.from('[{"role":"user","content":"Hello"}]');
  const order: string[] = [];
  const note = (name: string) => () => order.push(name);
  await Promise.all([
    tokenizer.countPromptForClient(messages, NOTHING).then(note('client, begun before')),
    tokenizer.countPromptForClient(messages, NOTHING).then(note('client')),
    tokenizer.countAnswer(['Hello'], ACCOUNT).then(note('answer')),
    tokenizer.countPrompt(messages, NOTHING, ACCOUNT).then(note('prompt')),
  ]);
  expect(order).toEqual(['client, begun before', 'answer', 'prompt', 'client']);
});

it('lets nobody wait for more than five seconds, and counts what comes after', async () => {
  const content = 'qzjxkvbw'.repeat(125_000);
  const long = tokenizer.countAnswer([content], ACCOUNT);
  const refused = expect(tokenizer.countAnswer(['Hello'], ACCOUNT)).rejects.toThrow('in time');
  const alsoRefused = expect(long).rejects.toThrow('in time');
  const client = expect(tokenizer.countPromptForClient(NOTHING, NOTHING)).rejects.toThrow(
    'in time',
  );
  await clock.advance(5_000);
  await Promise.all([refused, alsoRefused, client]);
  await expect(tokenizer.countAnswer(['Hello there'], ACCOUNT)).resolves.toBe(2);
});

it('goes on with those who wait when its thread dies of one question', async () => {
  const directory = await makeTemporaryDirectory();
  const program = join(directory.path, 'mortal.js');
  await writeFile(
    program,
    `const { parentPort } = require('node:worker_threads');
    parentPort.on('message', ({ texts }) =>
      texts[0] === 'die' ? process.exit(1) : parentPort.postMessage({ result: 2 }));`,
  );
  const mortal = createTokenizerThread(clock, program);
  const deadly = mortal.countAnswer(['die'], ACCOUNT);
  const others = [
    mortal.countAnswer(['Hello there'], ACCOUNT),
    mortal.countAnswer(['Hello there'], ACCOUNT),
  ];
  await expect(deadly).rejects.toThrow('ended');
  expect(await Promise.all(others)).toEqual([2, 2]);
  await mortal.close();
  await directory.remove();
});

it('counts nothing for those who still wait when it is closed', async () => {
  const asked = tokenizer.countAnswer(['Hello'], ACCOUNT);
  const refused = expect(asked).rejects.toThrow('stops');
  const client = expect(tokenizer.countPromptForClient(NOTHING, NOTHING)).rejects.toThrow('stops');
  await tokenizer.close();
  await Promise.all([refused, client]);
});

it('counts nothing for who asks after it was closed, and starts no thread again', async () => {
  await tokenizer.close();
  tokenizer.start();
  await expect(tokenizer.countAnswer(['Hello'], ACCOUNT)).rejects.toThrow('stops');
});
