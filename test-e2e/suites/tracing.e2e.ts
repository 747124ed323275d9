import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startTollgate } from '../topologies/start-tollgate';

jest.setTimeout(120_000);

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PROMPT = 'a sentence that no collector may ever see';

/** Takes what is exported and keeps it. */
async function startCollector(): Promise<{ server: Server; url: string; bodies: string[] }> {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      bodies.push(Buffer.concat(chunks).toString('utf8'));
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, bodies, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

interface ExportedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly attributes: readonly { readonly key: string; readonly value: object }[];
}

function spansIn(bodies: readonly string[]): ExportedSpan[] {
  return bodies.flatMap((body) => {
    const { resourceSpans } = JSON.parse(body) as {
      readonly resourceSpans: readonly {
        readonly scopeSpans: readonly { readonly spans: readonly ExportedSpan[] }[];
      }[];
    };
    return resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));
  });
}

test('a completion is one trace from the edge to its settlement, without its text', async () => {
  const { server, url, bodies } = await startCollector();
  const tollgate = await startTollgate({ OTEL_EXPORTER_OTLP_ENDPOINT: url });
  for (const stream of [false, true]) {
    const answer = await fetch(`${tollgate.baseUrl}/v1/chat/completions`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${tollgate.apiKey}`,
        'content-type': 'application/json',
        traceparent: `00-${TRACE}-b7ad6b7169203331-01`,
      },
      body: JSON.stringify({
        model: 'sim-small',
        stream,
        messages: [{ role: 'user', content: PROMPT }],
      }),
    });
    expect(answer.status).toBe(200);
    await answer.text();
  }
  // What is buffered leaves when the process stops.
  expect(await tollgate.stop()).toBe(0);
  server.closeAllConnections();
  server.close();

  const ofTrace = spansIn(bodies).filter(({ traceId }) => traceId === TRACE);
  const edges = ofTrace.filter(({ name }) => name === 'POST /v1/chat/completions');
  const completions = ofTrace.filter(({ name }) => name === 'chat sim-small');
  expect([edges.length, completions.length]).toEqual([2, 2]);
  expect(completions.map(({ parentSpanId }) => parentSpanId).sort()).toEqual(
    edges.map(({ spanId }) => spanId).sort(),
  );
  const settlements = ofTrace.filter(({ name }) => name === 'settlement');
  expect(settlements.map(({ parentSpanId }) => parentSpanId).sort()).toEqual(
    completions.map(({ spanId }) => spanId).sort(),
  );
  for (const { attributes } of completions) {
    const tokens = attributes.find(({ key }) => key === 'gen_ai.usage.output_tokens')?.value;
    const count: unknown = expect.any(Number);
    expect(tokens).toMatchObject({ intValue: count });
  }
  expect(bodies.join('')).not.toContain(PROMPT);
  expect(bodies.join('')).not.toContain(tollgate.apiKey);
});
