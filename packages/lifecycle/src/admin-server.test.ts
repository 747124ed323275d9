import { silentLogger } from '@tollgate/core';
import { createMetrics } from '@tollgate/observability';
import { type AdminServer, createAdminServer } from './admin-server';
import type { ReadinessReport } from './index';

let report: ReadinessReport = { ready: true, modules: {} };
let server: AdminServer;
let base: string;
const metrics = createMetrics();
metrics.counter({ name: 'tollgate_test_things_total', help: 'Things.' }).inc();

beforeEach(async () => {
  const readiness = () => report;
  server = createAdminServer({
    bind: '127.0.0.1',
    port: 0,
    metrics,
    logger: silentLogger,
    readiness,
  });
  base = `http://127.0.0.1:${(await server.start()).port}`;
});
afterEach(() => server.close());

test('/livez answers 200 while the process lives, ready or not', async () => {
  report = { ready: false, modules: {} };
  expect((await fetch(`${base}/livez`)).status).toBe(200);
});

test('/readyz answers 200 or 503 with the reasons, module by module', async () => {
  report = { ready: true, modules: { billing: { ready: true, reasons: [] } } };
  expect((await fetch(`${base}/readyz`)).status).toBe(200);
  report = { ready: false, modules: { billing: { ready: false, reasons: ['no store'] } } };
  const response = await fetch(`${base}/readyz?verbose`);
  expect(response.status).toBe(503);
  expect(await response.json()).toEqual(report);
});

test('/metrics answers in the Prometheus text format', async () => {
  const response = await fetch(`${base}/metrics`);
  expect(response.headers.get('content-type')).toContain('text/plain; version=0.0.4');
  expect(await response.text()).toContain('tollgate_test_things_total 1');
});

test('anything else is 404, any method but GET and HEAD is 405', async () => {
  expect((await fetch(`${base}/`)).status).toBe(404);
  const response = await fetch(`${base}/livez`, { method: 'POST' });
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
});

test('a taken port is an error of the start', async () => {
  const port = Number(new URL(base).port);
  const options = { metrics, logger: silentLogger, readiness: () => report };
  const second = createAdminServer({ bind: '127.0.0.1', port, ...options });
  await expect(second.start()).rejects.toMatchObject({ code: 'EADDRINUSE' });
});
