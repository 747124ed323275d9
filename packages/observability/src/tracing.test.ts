import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { silentLogger } from '@tollgate/core';
import { createTracing } from './index';

const PARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

test('without an endpoint a span costs nothing and sends nothing', async () => {
  const tracing = createTracing({
    serviceName: 'a',
    endpoint: undefined,
    logger: silentLogger,
  });
  expect(tracing.enabled).toBe(false);
  tracing.startSpan('work').end();
  await tracing.shutdown();
});

test('with an endpoint spans join the caller’s trace and reach the collector', async () => {
  const bodies: string[] = [];
  const collector = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      bodies.push(`${request.url} ${Buffer.concat(chunks).toString('utf8')}`);
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = collector.address() as AddressInfo;
    const endpoint = `http://127.0.0.1:${port}`;
    const tracing = createTracing({ serviceName: 'billing', endpoint, logger: silentLogger });
    const span = tracing.startSpan('AcquireLease', { traceparent: PARENT, kind: 'server' });
    expect(span.traceparent).toMatch(/^00-0af7651916cd43dd8448eb211c80319c-[0-9a-f]{16}-01$/);
    expect(span.traceparent).not.toBe(PARENT);
    span.setAttributes({ 'tollgate.code': 'OK' });
    span.end('SERVICE_UNAVAILABLE');
    await tracing.shutdown();
    expect(bodies.join('')).toMatch(/^\/v1\/traces .*AcquireLease/);
    expect(bodies.join('')).toContain('SERVICE_UNAVAILABLE');
  } finally {
    collector.closeAllConnections();
    collector.close();
  }
});
