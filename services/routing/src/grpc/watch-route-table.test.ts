import type { routingV1 } from '@tollgate/protos';
import type { CallInfo, ResponseStream } from '@tollgate/rpc';
import { createFakeClock } from '@tollgate/testkit';
import { buildRouteTable } from '../domain/route-table';
import type { RouteTableFeed } from '../operations/route-table-feed';
import { streamRouteTable } from './watch-route-table';

const TABLE = buildRouteTable({
  revision: 1n,
  channels: [],
  models: [],
  currency: 'USD',
  atMs: 1,
  openCredential: () => '',
});

/** A stream that was begun while the call and the server were as the signals say. */
function startStream(signals: Pick<CallInfo, 'signal' | 'draining'>) {
  const clock = createFakeClock();
  const written: routingV1.WatchRouteTableResponse[] = [];
  const followers = new Set<unknown>();
  // A stream asks nothing else of them.
  const feed = {
    current: () => TABLE,
    subscribe(listener: unknown) {
      followers.add(listener);
      return () => followers.delete(listener);
    },
  } as unknown as RouteTableFeed;
  const out: ResponseStream<routingV1.WatchRouteTableResponse> = {
    write: (message) => written.push(message) > 0,
    drained: async () => {},
  };
  const request = { knownRevision: '0', takesChanges: true };
  const ended = streamRouteTable(feed, clock, request, signals as CallInfo, out);
  return { clock, written, followers, ended };
}

describe.each(['signal', 'draining'] as const)('a stream whose %s aborts', (name) => {
  const signalsWith = (aborting: AbortSignal) => ({
    signal: new AbortController().signal,
    draining: new AbortController().signal,
    [name]: aborting,
  });

  test('ends, and nothing beats on', async () => {
    const abort = new AbortController();
    const { clock, written, followers, ended } = startStream(signalsWith(abort.signal));
    expect(followers.size).toBe(1);
    abort.abort();
    await ended;
    expect(followers.size).toBe(0);
    const before = written.length;
    await clock.advance(5_000);
    expect(written).toHaveLength(before);
  });

  test('before its request was read ends at once', async () => {
    const { written, followers, ended } = startStream(signalsWith(AbortSignal.abort()));
    await ended;
    expect([written.length, followers.size]).toEqual([0, 0]);
  });
});
