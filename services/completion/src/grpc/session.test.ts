import type { completionV1 } from '@tollgate/protos';
import { waitFor } from '@tollgate/testkit';
import { exampleInput, type ServiceFixture, startServiceFixture } from '../testing/service-fixture';
import { answerShortly, beginStream, sse, textChunk } from '../testing/vendor-server';

let fixture: ServiceFixture;
beforeEach(async () => {
  fixture = await startServiceFixture();
  await waitFor(() => fixture.service.readiness().ready);
});
afterEach(() => fixture.close());

type ResponseEvent = completionV1.SessionResponseFrame['event'];

function openSession() {
  const session = fixture.gateway.session();
  const events = new Map<number, ResponseEvent[]>();
  const state = { draining: false, ended: false };
  session.onMessage((message) => {
    state.draining ||= message.draining;
    for (const { number, event } of message.frames) {
      events.set(number, [...(events.get(number) ?? []), event]);
    }
  });
  session.onEnd(() => {
    state.ended = true;
  });
  const act = (number: number, action: completionV1.SessionRequestFrame['action']) =>
    session.write({ frames: [{ number, action }] });
  const open = (number: number, stream: boolean, input = exampleInput()) =>
    act(number, { $case: 'open', value: { input, stream } });
  const kinds = (number: number) => (events.get(number) ?? []).map((event) => event?.$case);
  const until = (number: number, kind: string) =>
    waitFor(() => kinds(number).includes(kind as never));
  return { act, events, kinds, open, session, state, until };
}

it('runs many requests at once and keeps their frames apart', async () => {
  const { events, kinds, open, session, until } = openSession();
  open(1, true);
  open(2, false);
  open(3, false, exampleInput({ model: 'unknown' }));
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
  const { act, open, session, until } = openSession();
  open(1, true);
  await until(1, 'chunk');
  fixture.vendor.script = answerShortly;
  act(1, { $case: 'cancel', value: true });
  await fixture.vendor.seen[0]?.gone;
  open(2, false);
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
  const { act, kinds, open, session, until } = openSession();
  open(1, true);
  act(1, { $case: 'pause', value: true });
  await until(1, 'head');
  fixture.vendor.script = answerShortly;
  open(2, false);
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
  const { open, session, until } = openSession();
  const input = exampleInput();
  open(1, true, input);
  await until(1, 'chunk');
  session.cancel();
  await fixture.vendor.seen[0]?.gone;
  const records = fixture.billing.applied as unknown as Record<string, unknown>[];
  const record = await waitFor(() => records.find((each) => each.request_id === input.requestId));
  expect(record).toMatchObject({ reason: 'client_gone' });
});

it('says that it is draining, finishes what runs, then ends', async () => {
  const { open, state, until } = openSession();
  open(1, false);
  await until(1, 'complete');
  const drained = fixture.service.drain?.(5_000);
  await waitFor(() => state.draining && state.ended);
  await drained;
});
