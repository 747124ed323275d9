import type { LoopTicks, TickParts } from '../../support/process-meter';
import type { SystemName } from '../systems/system';
import { formatTable } from './table';

/** How long the processes of a system held their event loops, by process. */
export interface SystemTicks {
  readonly name: SystemName;
  readonly ticks: ReadonlyMap<string, LoopTicks>;
}

/** The longest tick of each process, and what it was spent on. */
export function formatTicks(systems: readonly SystemTicks[]): string {
  const rows = systems.flatMap(({ name, ticks }) =>
    [...ticks].map(([process, { longestMs, p999Ms, ofLongest, mostWork }]) => [
      name,
      process,
      longestMs.toFixed(1),
      describeTick(ofLongest),
      p999Ms.toFixed(1),
      `${mostWork.workMs.toFixed(1)} (${mostWork.collectedMs.toFixed(1)})`,
    ]),
  );
  const heads = ['longest tick ms', 'which was', 'p99.9 ms', 'most work in a tick ms (garbage)'];
  return formatTable(['system', 'process', ...heads], rows);
}

function describeTick({ workMs, collectedMs, waitedMs }: TickParts): string {
  const garbage = collectedMs < 0.05 ? '' : `, garbage ${collectedMs.toFixed(1)} of it`;
  return `work ${workMs.toFixed(1)}${garbage}; waiting for the core ${waitedMs.toFixed(1)}`;
}
