import { createTurns } from './turns';

const OPTIONS = { atOnceMax: 2, waitingMax: 1, whoWaits: 'questions' };

test('so many run at once, the next waits, and one more is refused until a turn ends', async () => {
  const inTurn = createTurns(OPTIONS);
  const ends: (() => void)[] = [];
  const began: string[] = [];
  const work = (name: string) =>
    inTurn(() => {
      began.push(name);
      return new Promise<string>((resolve) => ends.push(() => resolve(name)));
    });
  const [a, b, c] = [work('a'), work('b'), work('c')];
  const refused = { code: 'SERVICE_UNAVAILABLE', message: '1 questions wait already' };
  await expect(work('d')).rejects.toMatchObject(refused);
  expect(began).toEqual(['a', 'b']);
  ends[0]?.();
  expect(await a).toBe('a');
  expect(began).toEqual(['a', 'b', 'c']);
  for (const end of ends) end();
  expect(await Promise.all([b, c])).toEqual(['b', 'c']);
});

test('work that fails hands its turn over', async () => {
  const inTurn = createTurns({ ...OPTIONS, atOnceMax: 1 });
  const failed = inTurn(() => Promise.reject(new Error('broken')));
  const next = inTurn(async () => 'next');
  await expect(failed).rejects.toThrow('broken');
  expect(await next).toBe('next');
});
