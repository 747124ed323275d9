import type { LoopTicks, Meter } from '../../support/process-meter';
import type { BenchSystem } from '../systems/system';

/** The longest ticks of the event loop of every process, since they were last read. */
export async function readTicks(
  { processes }: BenchSystem,
  meter: Meter,
): Promise<ReadonlyMap<string, LoopTicks>> {
  const ticks = new Map<string, LoopTicks>();
  for (const { name, process } of processes) ticks.set(name, await meter.ticks(process.pid));
  return ticks;
}
