import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseConfig } from '@tollgate/config';
import { createSystemClock, silentLogger } from '@tollgate/core';
import { createMetrics } from '@tollgate/observability';
import { FAILURE_MODES } from './domain/failure-modes';
import { createSimulatorService, simulatorConfigSchema } from './index';

function createHost() {
  return { clock: createSystemClock(), logger: silentLogger, metrics: createMetrics() };
}

describe('the simulator as a module', () => {
  it('is ready between start and stop, answers, and counts its answers', async () => {
    const config = parseConfig(simulatorConfigSchema, { TOLLGATE_SIMULATOR_PORT: '0' });
    const host = createHost();
    const service = createSimulatorService(config, host);
    expect(service.readiness().ready).toBe(false);
    await service.start();
    expect(service.readiness().ready).toBe(true);
    const response = await fetch(`${service.baseUrl()}/chat/completions`, {
      method: 'POST',
      body: JSON.stringify({ model: 'any', messages: [{ role: 'user', content: 'hi' }] }),
    });
    expect(response.status).toBe(200);
    await response.arrayBuffer();
    await service.drain?.(1_000);
    await service.stop();
    expect(service.readiness().ready).toBe(false);
    expect(await host.metrics.expose()).toContain(
      'tollgate_simulator_answers_total{state="finished"} 1',
    );
  });

  it('answers moderately and at once unless it is configured otherwise', () => {
    expect(parseConfig(simulatorConfigSchema, {})).toMatchObject({
      tokens: 40,
      latencyMs: 0,
      credential: undefined,
      bind: '127.0.0.1',
    });
  });
});

describe('the README', () => {
  it('describes every failure mode in the words of the table', () => {
    const text = readFileSync(join(__dirname, '..', 'README.md'), 'utf8');
    // Formatters pad the cells of a table.
    const readme = text.replaceAll(/ +/g, ' ');
    for (const [name, { description }] of Object.entries(FAILURE_MODES)) {
      expect(readme).toContain(`| \`${name}\` | ${description} |`);
    }
  });
});
