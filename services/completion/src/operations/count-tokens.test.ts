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

it('counts eight at once, so that the records of answers wait for no crowd', async () => {
  const counted = Promise.withResolvers<number>();
  const count = await arrange(() => counted.promise);
  const asked = Array.from({ length: 8 }, () => count(exampleRequest()));
  await expect(count(exampleRequest())).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  counted.resolve(5);
  expect(await Promise.all(asked)).toEqual(Array.from({ length: 8 }, () => 5));
  expect(await count(exampleRequest())).toBe(5);
});
