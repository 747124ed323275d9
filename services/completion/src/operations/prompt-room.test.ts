import { FRAME_BYTES_MAX } from '@tollgate/rpc';
import { createFakeClock, settlePromises } from '@tollgate/testkit';
import { createRunFixture, exampleRequest, FINISH_PIECE } from '../testing/run-fixture';
import { createCountTokens } from './count-tokens';
import { createPromptRoom } from './prompt-room';
import type { CompletionRequest } from './request';

const KILOBYTE = Buffer.from('a'.repeat(1_000));

function promptOf(accountId: string, changes: Partial<CompletionRequest> = {}) {
  const { caller } = exampleRequest();
  return exampleRequest({ caller: { ...caller, accountId }, messages: KILOBYTE, ...changes });
}

/** An account alone may hold three prompts there. */
async function arrange() {
  const fixture = await createRunFixture(createFakeClock());
  for (const account of ['a', 'b']) fixture.billing.setAvailable(account, 1_000_000n);
  const prompts = createPromptRoom(12_000);
  const ask = (accountId: string, changes?: Partial<CompletionRequest>) =>
    fixture.stream(promptOf(accountId, changes), { prompts });
  return { ...fixture, ask, prompts };
}

it('refuses prompts of an account that holds as much as it leaves free, until an answer ends', async () => {
  const { ask } = await arrange();
  const held = [ask('a'), ask('a'), ask('a')];
  await settlePromises();
  await expect(ask('a').over).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    retryable: true,
  });
  const other = ask('b');
  await settlePromises();
  expect(other.out.left).toEqual(['head small 1']);
  for (const { over, vendor } of held.slice(1)) {
    vendor.send(FINISH_PIECE);
    vendor.end();
    await over;
  }
  const again = ask('a');
  await settlePromises();
  expect(again.out.left).toEqual(['head small 1']);
});

it('has room for the longest message of a gateway, however little it may hold', () => {
  const least = createPromptRoom(64 * 1024 * 1024);
  const messages = Buffer.alloc(FRAME_BYTES_MAX);
  expect(() => least.take(promptOf('a', { messages }))).not.toThrow();
});

it('holds no prompt of a request that was refused', async () => {
  const { ask } = await arrange();
  for (let request = 0; request < 5; request += 1) {
    const { over } = ask('a', { model: 'nobody' });
    await expect(over).rejects.toMatchObject({ code: 'NOT_FOUND' });
  }
});

it('holds prompts that are only counted while they wait for that', async () => {
  const { deps, prompts } = await arrange();
  const counted = Promise.withResolvers<number>();
  const tokens = { countPromptForClient: () => counted.promise };
  const count = createCountTokens({ ...deps, prompts, tokens });
  const waiting = [1, 2, 3].map(() => count(promptOf('a')));
  await expect(count(promptOf('a'))).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  counted.resolve(3);
  expect(await Promise.all(waiting)).toEqual([3, 3, 3]);
  expect(await count(promptOf('a'))).toBe(3);
});
