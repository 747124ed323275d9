import type { Clock, Timer } from '@tollgate/core';
import type { routingV1 } from '@tollgate/protos';
import type { CallInfo, ResponseStream, Sent } from '@tollgate/rpc';
import type { RouteTable } from '../domain/route-table';
import type { RouteTableFeed } from '../operations/route-table-feed';
import { changesBetween } from './route-changes';

/** Followers treat several missed beats as a broken stream. */
const HEARTBEAT_MS = 1000;

/**
 * Sends the table unless the follower holds it, then what differs in every newer one, and a heartbeat
 * in between. A follower that reads slowly gets only the newest: older ones are of no use to it.
 */
export function streamRouteTable(
  feed: RouteTableFeed,
  clock: Clock,
  request: routingV1.WatchRouteTableRequest__Output,
  call: CallInfo,
  out: ResponseStream<Sent<routingV1.WatchRouteTableResponse>>,
): Promise<void> {
  const over = AbortSignal.any([call.signal, call.draining]);
  // A server may begin to drain before it has read the request; nothing would end the stream then.
  if (over.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const known = BigInt(request.knownRevision);
    // Revision 0 is ambiguous, no table yet or the empty one: its follower always gets a table.
    let sentRevision = known === 0n ? undefined : known;
    // What was sent here, and never what another stream brought: two replicas may have read their
    // tables of one revision at two moments, and what differs then would be told by neither.
    let held: RouteTable | undefined;
    let blocked = false;
    let timer: Timer | undefined;

    const write = (message: Sent<routingV1.WatchRouteTableResponse>): void => {
      if (out.write(message) || blocked) return;
      blocked = true;
      void out.drained().then(() => {
        blocked = false;
        send(feed.current());
      });
    };
    const send = (table: RouteTable): void => {
      if (blocked || table.revision === sentRevision) return;
      sentRevision = table.revision;
      const revision = table.revision.toString();
      for (const changes of changesBetween(held, table)) write({ revision, changes });
      held = table;
    };
    const beat = (): void => {
      if (!blocked) write({ revision: (sentRevision ?? known).toString() });
      timer = clock.schedule(HEARTBEAT_MS, beat);
    };
    const unsubscribe = feed.subscribe(send);
    const finish = (): void => {
      unsubscribe();
      timer?.cancel();
      resolve();
    };
    over.addEventListener('abort', finish, { once: true });
    send(feed.current());
    beat();
  });
}
