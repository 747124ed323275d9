import { createServer, type Server } from 'node:net';
import { createSystemClock, silentLogger } from '@tollgate/core';
import { createFakeClock } from '@tollgate/testkit';
import type { EventBus } from '../event-bus';
import { ACCOUNT, usageOf } from '../testing/events';
import { createKafkaBus } from './kafka-bus';

const clock = createSystemClock();

describe('the Kafka bus while Kafka is away', () => {
  let server: Server;
  let bus: EventBus;
  let port: number;

  // A broker that takes connections and never answers is the worst kind of away.
  beforeEach(async () => {
    server = createServer((socket) => socket.on('error', () => undefined).resume());
    port = await new Promise<number>((resolve) => {
      server.listen(0, '127.0.0.1', () => {
        const address = server.address();
        resolve(typeof address === 'object' && address !== null ? address.port : 0);
      });
    });
  });

  afterEach(async () => {
    await bus.close();
    await new Promise((resolve) => server.close(resolve));
  });

  function open(options: { pendingMessagesMax?: number; busClock?: typeof clock } = {}): EventBus {
    bus = createKafkaBus({
      brokers: [`127.0.0.1:${port}`],
      clientId: 'tollgate-test',
      clock: options.busClock ?? clock,
      logger: silentLogger,
      requestTimeoutMs: 200,
      connectionTimeoutMs: 200,
      pendingMessagesMax: options.pendingMessagesMax ?? 10,
      onFatal: (error) => {
        throw error;
      },
    });
    return bus;
  }

  it('answers a publish with 503 at its deadline, not later', async () => {
    const busClock = createFakeClock();
    const away = open({ busClock });
    let code: string | undefined;
    const publishing = away
      .publish([usageOf(clock, ACCOUNT, 1)], { timeoutMs: 1_000 })
      .catch((error: { code: string }) => {
        code = error.code;
      });
    await busClock.advance(999);
    expect(code).toBeUndefined();
    await busClock.advance(1);
    await publishing;
    expect(code).toBe('SERVICE_UNAVAILABLE');
  });

  it('refuses at once when too many messages wait for the broker', async () => {
    const away = open({ pendingMessagesMax: 2 });
    const batch = [1, 2].map((number) => usageOf(clock, ACCOUNT, number));
    const waiting = away.publish(batch, { timeoutMs: 300 }).catch(() => 'late');
    const refused = away.publish(batch, { timeoutMs: 60_000 });
    await expect(refused).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(await waiting).toBe('late');
  });

  it('lets a service start, and closes without Kafka', async () => {
    const away = open();
    await away.subscribe({
      group: 'billing',
      topics: ['tollgate.usage.v1'],
      handle: async () => undefined,
    });
    await away.close();
  });
});
