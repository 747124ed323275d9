import type { LoopTurns, TurnParts } from '../../support/process-probe';
import type { SystemName } from '../systems/system';
import { formatTable } from './table';

/** How long the processes of a system held their event loops, by process. */
export interface SystemTurns {
  readonly name: SystemName;
  readonly turns: ReadonlyMap<string, LoopTurns>;
}

/** The longest turn of each process, and what it was spent on. */
export function formatTurns(systems: readonly SystemTurns[]): string {
  const rows = systems.flatMap(({ name, turns }) =>
    [...turns].map(([process, { longestMs, p999Ms, ofLongest, mostWork }]) => [
      name,
      process,
      longestMs.toFixed(1),
      describeTurn(ofLongest),
      p999Ms.toFixed(1),
      `${mostWork.workMs.toFixed(1)} (${mostWork.collectedMs.toFixed(1)})`,
    ]),
  );
  const heads = ['longest turn ms', 'which was', 'p99.9 ms', 'most work in a turn ms (garbage)'];
  return formatTable(['system', 'process', ...heads], rows);
}

function describeTurn({ workMs, collectedMs, waitedMs }: TurnParts): string {
  const garbage = collectedMs < 0.05 ? '' : `, garbage ${collectedMs.toFixed(1)} of it`;
  return `work ${workMs.toFixed(1)}${garbage}; waiting for the core ${waitedMs.toFixed(1)}`;
}
