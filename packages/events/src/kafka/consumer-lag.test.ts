import { silentObserver } from '../event-bus';
import { createConsumerLag } from './consumer-lag';

function startLag() {
  const told: number[] = [];
  const behind = (_topic: string, _group: string, events: number) => void told.push(events);
  return { told, lag: createConsumerLag('stats', { ...silentObserver, behind }) };
}

const batchOf = (partition: number, highWatermark: string, ...offsets: string[]) => ({
  partition,
  highWatermark,
  messages: offsets.map((offset) => ({ offset })),
});

test('what waits is the sum over partitions, less by what is handled', () => {
  const { told, lag } = startLag();
  lag.note('tollgate.ledger.v1', batchOf(0, '110', '100', '101'), undefined);
  lag.note('tollgate.ledger.v1', batchOf(1, '5', '3', '4'), undefined);
  lag.note('tollgate.ledger.v1', batchOf(0, '110', '100', '101'), '101');
  lag.note('tollgate.ledger.v1', batchOf(1, '5', '3', '4'), '4');
  expect(told).toEqual([10, 12, 10, 8]);
});

test('who lost its partitions tells nothing of them any more', () => {
  const { told, lag } = startLag();
  lag.note('tollgate.ledger.v1', batchOf(0, '7', '2'), undefined);
  lag.clear();
  lag.note('tollgate.ledger.v1', batchOf(1, '4', '3'), '3');
  expect(told).toEqual([5, 0, 0]);
});
