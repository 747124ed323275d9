import { settlePromises } from '@tollgate/testkit';
import { createTopicSender, type EncodedMessage, type Refused } from './topic-sender';

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

  it('tells each call which of its keys were refused, and lets later calls try', async () => {
    const { sender, flights } = open();
    const first = sender.push([message('a')]).promise;
    const calls = [[message('a'), message('b')], [message('b')]].map(
      (some) => sender.push(some).promise,
    );
    await flights[0]?.refuse('a');
    expect([...(await first).keys()]).toEqual(['a']);
    await flights[1]?.refuse('a');
    expect((await Promise.all(calls)).map((refused) => [...refused.keys()])).toEqual([['a'], []]);
    expect(sender.pendingMessages).toBe(0);
  });

  it('sends nothing of a call behind a refused message of its key, and all of its other keys', async () => {
    const { sender, flights } = open({ messagesMax: 2, bytesMax: 1_000 });
    const call = sender.push(['a', 'b', 'a', 'b', 'a'].map((key) => message(key))).promise;
    await flights[0]?.refuse('a');
    await flights[1]?.succeed();
    expect(flights.map(({ names }) => names)).toEqual([['a', 'b'], ['b']]);
    expect([...(await call).keys()]).toEqual(['a']);
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
    refuse(key: string): Promise<void>;
  }[] = [];
  const sender = createTopicSender('tollgate.usage.v1', bounds, (_topic, messages) => {
    const { promise, resolve } = Promise.withResolvers<Refused>();
    flights.push({
      names: messages.map(({ key }) => key),
      succeed: () => {
        resolve(new Map());
        return settlePromises();
      },
      refuse: (key) => {
        resolve(new Map([[key, new Error('not leader')]]));
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

function outcome(promise: Promise<Refused>): Promise<string> {
  return promise.then(
    () => 'sent',
    (error: Error) => error.message,
  );
}
