import type { Clock, Timer } from '@tollgate/core';
import type { routingV1 } from '@tollgate/protos';
import type { CallInfo, ResponseStream } from '@tollgate/rpc';
import type { RouteTable } from '../domain/route-table';
import type { RouteTableFeed } from '../operations/route-table';
import { toProtoRouteTable } from './to-proto';

/** Followers treat several missed beats as a broken stream. */
const HEARTBEAT_MS = 1000;

/**
 * Sends the table unless the follower holds it, then every newer one, and a heartbeat in between. A
 * follower that reads slowly gets only the newest table: older ones are of no use to it.
 */
export function streamRouteTable(
  feed: RouteTableFeed,
  clock: Clock,
  request: routingV1.WatchRouteTableRequest__Output,
  call: CallInfo,
  out: ResponseStream<routingV1.WatchRouteTableResponse>,
): Promise<void> {
  return new Promise((resolve) => {
    const known = BigInt(request.knownRevision);
    // Revision 0 is ambiguous, no table yet or the empty one: its follower always gets a table.
    let sentRevision = known === 0n ? undefined : known;
    let blocked = false;
    let timer: Timer | undefined;

    const write = (message: routingV1.WatchRouteTableResponse): void => {
      if (out.write(message)) return;
      blocked = true;
      void out.drained().then(() => {
        blocked = false;
        send(feed.current());
      });
    };
    const send = (table: RouteTable): void => {
      if (blocked || table.revision === sentRevision) return;
      sentRevision = table.revision;
      write({ revision: table.revision.toString(), table: toProtoRouteTable(table) });
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
    call.signal.addEventListener('abort', finish, { once: true });
    call.draining.addEventListener('abort', finish, { once: true });
    send(feed.current());
    beat();
  });
}
