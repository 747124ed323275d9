import { createFakeClock, settlePromises } from '@tollgate/testkit';
import { createRunFixture, exampleRequest } from '../testing/run-fixture';
import { createCountTokens } from './count-tokens';

async function arrange(countPromptForClient: () => Promise<number>) {
  const { deps } = await createRunFixture(createFakeClock());
  return createCountTokens({ ...deps, tokens: { countPromptForClient } });
}

it('counts the prompt of a model that exists, whatever its length', async () => {
  const count = await arrange(async () => 1_000_000);
  expect(await count(exampleRequest())).toBe(1_000_000);
  await expect(count(exampleRequest({ model: 'nobody' }))).rejects.toMatchObject({
    code: 'NOT_FOUND',
    param: 'model',
  });
});

it('refuses with 503 what it could not count, and goes on', async () => {
  let works = false;
  const count = await arrange(() => (works ? Promise.resolve(3) : Promise.reject(new Error('x'))));
  await expect(count(exampleRequest())).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  works = true;
  expect(await count(exampleRequest())).toBe(3);
});

const promptOf = (accountId: string) => {
  const { caller } = exampleRequest();
  return exampleRequest({ caller: { ...caller, accountId } });
};

/** Counts that end when they are told to. */
async function arrangeHeld() {
  const running: PromiseWithResolvers<number>[] = [];
  const count = await arrange(() => {
    const next = Promise.withResolvers<number>();
    running.push(next);
    return next.promise;
  });
  return { running, count };
}

it('counts for one account one prompt after the other, and for others meanwhile', async () => {
  const { running, count } = await arrangeHeld();
  const asked = Array.from({ length: 1 + 32 }, () => count(promptOf('acc_1')));
  const refused = count(promptOf('acc_1'));
  await expect(refused).rejects.toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' });
  const other = count(promptOf('acc_2'));
  expect(running).toHaveLength(2);
  running[1]?.resolve(7);
  expect(await other).toBe(7);
  for (const each of asked) {
    await settlePromises();
    running.at(asked.indexOf(each) === 0 ? 0 : -1)?.resolve(3);
    expect(await each).toBe(3);
  }
});

it('counts for eight accounts at once, and lets others wait', async () => {
  const { running, count } = await arrangeHeld();
  const asked = Array.from({ length: 8 + 256 }, (_, index) => count(promptOf(`acc_${index}`)));
  await expect(count(promptOf('acc'))).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  expect(running).toHaveLength(8);
  for (let index = 0; index < asked.length; index += 1) {
    running[index]?.resolve(index);
    expect(await asked[index]).toBe(index);
  }
});

it('does not count for one who left before the turn came', async () => {
  const { running, count } = await arrangeHeld();
  const first = count(promptOf('acc_1'));
  const leaving = new AbortController();
  const left = count(promptOf('acc_1'), leaving.signal);
  leaving.abort();
  await expect(left).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  running[0]?.resolve(1);
  expect([await first, running.length]).toEqual([1, 1]);
});
