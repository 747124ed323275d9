import { waitFor } from '@tollgate/testkit';
import {
  type CompletionFixture,
  exampleInput,
  startCompletionFixture,
} from '../testing/completion-fixture';
import { openSession } from '../testing/session-client';
import { answerShortly, beginStream, sse, textChunk } from '../testing/vendor-server';

let fixture: CompletionFixture;
beforeEach(async () => {
  fixture = await startCompletionFixture();
  await waitFor(() => fixture.service.readiness().ready);
});
afterEach(() => fixture.close());

/** A session of the running service, and a way to wait for what comes on it. */
function begin() {
  const opened = openSession(fixture.gateway);
  const until = (number: number, kind: ReturnType<typeof opened.kinds>[number]) =>
    waitFor(() => opened.kinds(number).includes(kind));
  return { ...opened, until };
}

it('runs many requests at once and keeps their frames apart', async () => {
  const { events, kinds, open, session, until } = begin();
  open(exampleInput(), true);
  open(exampleInput(), false);
  open(exampleInput({ model: 'unknown' }), false);
  await Promise.all([until(1, 'end'), until(2, 'complete'), until(3, 'failure')]);
  expect(kinds(1)[0]).toBe('head');
  expect(kinds(2)).toEqual(['complete']);
  expect(events.get(3)?.[0]).toMatchObject({ value: { code: 'NOT_FOUND', param: 'model' } });
  session.end();
});

it('ends a cancelled request at the vendor and leaves the others alone', async () => {
  fixture.vendor.script = (_seen, response) => {
    beginStream(response);
    response.write(textChunk('Hello'));
  };
  const { act, open, session, until } = begin();
  open(exampleInput(), true);
  await until(1, 'chunk');
  fixture.vendor.script = answerShortly;
  act(1, { $case: 'cancel', value: true });
  await fixture.vendor.seen[0]?.gone;
  open(exampleInput(), false);
  await until(2, 'complete');
  session.end();
});

it('pauses one request without delaying another', async () => {
  // Bytes without text: so much text would be cut as more than was asked for.
  const delta = { tool_calls: [{ id: 'x'.repeat(8_000) }] };
  const flood = sse({ choices: [{ index: 0, delta }] });
  let sent = 0;
  fixture.vendor.script = (_seen, response) => {
    beginStream(response);
    const pump = () => {
      while (sent < 4_000) {
        sent += 1;
        if (!response.write(flood)) {
          response.once('drain', pump);
          return;
        }
      }
    };
    pump();
  };
  const { act, kinds, open, session, until } = begin();
  open(exampleInput(), true);
  act(1, { $case: 'pause', value: true });
  await until(1, 'head');
  fixture.vendor.script = answerShortly;
  open(exampleInput(), false);
  await until(2, 'complete');
  expect(sent).toBeLessThan(4_000);
  act(1, { $case: 'resume', value: true });
  const before = kinds(1).length;
  await waitFor(() => kinds(1).length > before + 10);
  act(1, { $case: 'cancel', value: true });
  session.end();
});

it('ends what runs when the peer is gone', async () => {
  fixture.vendor.script = (_seen, response) => {
    beginStream(response);
    response.write(textChunk('Hello'));
  };
  const { open, session, until } = begin();
  const input = exampleInput();
  open(input, true);
  await until(1, 'chunk');
  session.cancel();
  await fixture.vendor.seen[0]?.gone;
  // The fixture keeps the records in the words of the topic.
  const records = fixture.billing.applied as unknown as Record<string, unknown>[];
  const record = await waitFor(() => records.find((each) => each.request_id === input.requestId));
  expect(record).toMatchObject({ reason: 'client_gone' });
});

it('tells its peer that it drains, finishes what runs, then ends', async () => {
  const { open, state, until } = begin();
  open(exampleInput(), false);
  await until(1, 'complete');
  const drained = fixture.service.drain?.(5_000);
  await waitFor(() => state.draining && state.ended);
  await drained;
});
