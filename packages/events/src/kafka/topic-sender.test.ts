import { settlePromises } from '@tollgate/testkit';
import { createTopicSender, type EncodedMessage } from './topic-sender';

const BOUNDS = { messagesMax: 100, bytesMax: 1_000 };

describe('the sender of a topic', () => {
  it('has one request under way and sends what gathered meanwhile as one batch', async () => {
    const { sender, flights } = open();
    const calls = ['a', 'b', 'c', 'd'].map((name) => sender.push([message(name)]));
    expect(flights.map(({ names }) => names)).toEqual([['a']]);
    await flights[0]?.succeed();
    expect(flights.map(({ names }) => names)).toEqual([['a'], ['b', 'c', 'd']]);
    await flights[1]?.succeed();
    await Promise.all(calls.map(({ promise }) => promise));
    expect(sender.pendingMessages).toBe(0);
  });

  it('never puts more into a request than a broker takes, and one event always', async () => {
    const { sender, flights } = open({ messagesMax: 3, bytesMax: 1_000 });
    sender.push([message('big', 5_000), ...['b', 'c', 'd', 'e'].map((name) => message(name))]);
    await flights[0]?.succeed();
    await flights[1]?.succeed();
    expect(flights.map(({ names }) => names)).toEqual([['big'], ['b', 'c', 'd'], ['e']]);
  });

  it('fails the calls of a failed request and lets later calls try', async () => {
    const { sender, flights } = open();
    const first = outcome(sender.push([message('a')]).promise);
    const second = outcome(sender.push([message('b')]).promise);
    await flights[0]?.fail(new Error('not leader'));
    expect(await first).toBe('not leader');
    await flights[1]?.succeed();
    expect(await second).toBe('sent');
  });

  it('sends nothing of a call after a part of it failed, which would change its order', async () => {
    const { sender, flights } = open({ messagesMax: 1, bytesMax: 1_000 });
    const call = outcome(sender.push([message('a'), message('b')]).promise);
    await flights[0]?.fail(new Error('too late'));
    expect(await call).toBe('too late');
    expect(flights).toHaveLength(1);
    expect(sender.pendingMessages).toBe(0);
  });

  it('takes back what has not left when its caller stops waiting', async () => {
    const { sender, flights } = open();
    sender.push([message('a')]);
    const { promise, cancel } = sender.push([message('b')]);
    const cancelled = outcome(promise);
    cancel(new Error('deadline'));
    expect(await cancelled).toBe('deadline');
    await flights[0]?.succeed();
    await sender.idle();
    expect(flights.map(({ names }) => names)).toEqual([['a']]);
  });
});

function open(bounds = BOUNDS) {
  const flights: {
    names: string[];
    succeed(): Promise<void>;
    fail(error: Error): Promise<void>;
  }[] = [];
  const sender = createTopicSender('tollgate.usage.v1', bounds, (_topic, messages) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    flights.push({
      names: messages.map(({ key }) => key),
      succeed: () => {
        resolve();
        return settlePromises();
      },
      fail: (error) => {
        reject(error);
        return settlePromises();
      },
    });
    return promise;
  });
  return { sender, flights };
}

function message(key: string, bytes = 10): EncodedMessage {
  return { key, value: Buffer.alloc(bytes) };
}

function outcome(promise: Promise<void>): Promise<string> {
  return promise.then(
    () => 'sent',
    (error: Error) => error.message,
  );
}
