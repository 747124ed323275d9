import { createFakeClock, type FakeClock, settlePromises } from '@tollgate/testkit';
import { openMemorySpool } from '../testing/memory-disk';
import { createRunFixture, FINISH_PIECE, textPiece } from '../testing/run-fixture';

let clock: FakeClock;
beforeEach(() => {
  clock = createFakeClock();
});

it('a stream that is cut by a kill is charged at its last checkpoint after the restart', async () => {
  const fixture = await createRunFixture(clock);
  const { vendor } = fixture.stream();
  await settlePromises();
  for (const text of ['one two', ' three']) {
    vendor.send(textPiece(text));
    await clock.advance(300);
  }
  fixture.disk.crash();
  const spool = await openMemorySpool({ disk: fixture.disk, clock });
  expect(spool.takeBatch(10)).toMatchObject([
    // 32 and 13 bytes are judged to be 8 and 4 tokens: nobody is left who could count them.
    { kind: 'usage', reason: 'crash', source: 'partial', amount: 12n, number: 1 },
    { kind: 'close', number: 2 },
  ]);
});

it('a stream has its first checkpoint an interval after its first text, however late that came', async () => {
  const fixture = await createRunFixture(clock);
  const checkpoint = jest.spyOn(fixture.spool, 'checkpoint');
  const { vendor } = fixture.stream();
  await clock.advance(300);
  for (const [text, written] of [
    ['one', 0],
    [' two', 0],
    [' three', 1],
  ] as const) {
    vendor.send(textPiece(text));
    await clock.advance(150);
    expect(checkpoint).toHaveBeenCalledTimes(written);
  }
});

it.each([
  ['whose vendor does not end its stream', true],
  ['that a slow reader did not take yet', false],
])('the last text of an answer %s has a checkpoint too', async (_what, flowing) => {
  const fixture = await createRunFixture(clock);
  const { out, vendor } = fixture.stream();
  await settlePromises();
  out.flowing = flowing;
  vendor.send(textPiece('Yes.'), FINISH_PIECE);
  if (!flowing) vendor.end();
  await settlePromises();
  expect(out.left).toHaveLength(2);
  fixture.disk.kill();
  const spool = await openMemorySpool({ disk: fixture.disk, clock });
  expect(spool.takeBatch(10)[0]).toMatchObject({ reason: 'crash', source: 'partial' });
});

it('an answer whose counts come with its end has no checkpoint besides', async () => {
  const fixture = await createRunFixture(clock);
  const checkpoint = jest.spyOn(fixture.spool, 'checkpoint');
  const { over, vendor } = fixture.stream();
  await settlePromises();
  const usage = { prompt: 9, completion: 2, cached: 0 };
  vendor.send(textPiece('Yes.'), FINISH_PIECE, { kind: 'usage', usage });
  vendor.end();
  await over;
  expect(checkpoint).not.toHaveBeenCalled();
});
