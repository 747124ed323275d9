import { createFakeClock } from '@tollgate/testkit';
import { createRunFixture, exampleRequest } from '../testing/run-fixture';
import { createCountTokens } from './count-tokens';

async function arrange(countPrompt: () => Promise<number>) {
  const { deps } = await createRunFixture(createFakeClock());
  return createCountTokens({ ...deps, tokens: { countPrompt } });
}

it('counts the prompt of a model that exists, whatever its length', async () => {
  const count = await arrange(async () => 1_000_000);
  expect(await count(exampleRequest())).toBe(1_000_000);
  await expect(count(exampleRequest({ model: 'nobody' }))).rejects.toMatchObject({
    ...{ code: 'NOT_FOUND', param: 'model' },
  });
});

it('refuses with 503 what it could not count, and goes on', async () => {
  let works = false;
  const count = await arrange(() => (works ? Promise.resolve(3) : Promise.reject(new Error('x'))));
  await expect(count(exampleRequest())).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  works = true;
  expect(await count(exampleRequest())).toBe(3);
});

it('counts eight at once and lets a crowd wait, so that records of answers do not', async () => {
  const running: PromiseWithResolvers<number>[] = [];
  const count = await arrange(() => {
    const next = Promise.withResolvers<number>();
    running.push(next);
    return next.promise;
  });
  const asked = Array.from({ length: 8 + 64 }, () => count(exampleRequest()));
  await expect(count(exampleRequest())).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  expect(running).toHaveLength(8);
  for (let index = 0; index < asked.length; index += 1) {
    running[index]?.resolve(index);
    expect(await asked[index]).toBe(index);
  }
  const last = count(exampleRequest());
  await Promise.resolve();
  running.at(-1)?.resolve(5);
  expect(await last).toBe(5);
});
