import type { SpanOptions, Tracing } from '@tollgate/observability';
import { waitFor } from '@tollgate/testkit';
import { exampleInput, startCompletionFixture } from '../testing/completion-fixture';
import { openSession } from '../testing/session-client';

const TRACE = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

/** Spans whose context is their name and number, and how each ended. */
function createRecordingTracing() {
  const begun: { name: string; parent: string | undefined }[] = [];
  const ended: string[] = [];
  const tracing: Tracing = {
    enabled: true,
    startSpan(name: string, { traceparent }: SpanOptions = {}) {
      const own = `${name} ${begun.length + 1}`;
      begun.push({ name, parent: traceparent });
      const end = () => void ended.push(own);
      return { traceparent: own, setAttributes: () => undefined, end };
    },
    shutdown: () => Promise.resolve(),
  };
  return { tracing, begun, ended };
}

async function askTwice(tracing?: Tracing, isOver = () => true) {
  const fixture = await startCompletionFixture(tracing === undefined ? {} : { tracing });
  try {
    await waitFor(() => fixture.service.readiness().ready);
    const session = openSession(fixture.gateway);
    const input = (requestId: string) => ({ ...exampleInput({ requestId }), traceparent: TRACE });
    await session.complete(input('req_1'));
    await session.stream(input('req_2'));
    session.session.end();
    await waitFor(isOver);
    return fixture.vendor.seen.map(({ headers }) => headers.traceparent);
  } finally {
    await fixture.close();
  }
}

it("the vendor is told the client's trace context where nothing is traced", async () => {
  expect(await askTwice()).toEqual([TRACE, TRACE]);
});

it('a vendor call has a span within that of its completion, and the vendor is told of it', async () => {
  const { tracing, begun, ended } = createRecordingTracing();
  // A settlement ends when billing has told of it.
  const seen = await askTwice(tracing, () => ended.length === 6);
  const [chat, vendor] = [begun[0]?.name ?? '', begun[1]?.name ?? ''];
  expect(vendor).toMatch(/^vendor /);
  expect(begun).toEqual([
    { name: chat, parent: TRACE },
    { name: vendor, parent: `${chat} 1` },
    { name: 'settlement', parent: `${chat} 1` },
    { name: chat, parent: TRACE },
    { name: vendor, parent: `${chat} 4` },
    { name: 'settlement', parent: `${chat} 4` },
  ]);
  expect(seen).toEqual([`${vendor} 2`, `${vendor} 5`]);
  expect([...ended].sort()).toEqual(begun.map(({ name }, place) => `${name} ${place + 1}`).sort());
});
