import type { SeededRandom } from '../support/seeded-random';
import type { InstanceName, Replicas, ServiceName } from '../topologies/instances';

/** Everything that may be hit. Not the vendor: charges are compared with what it delivered. */
export type FaultTarget = Exclude<InstanceName, 'simulator'> | Engine;
type Engine = 'store' | 'kafka' | 'redis';
type Victim = Exclude<ServiceName, 'simulator'> | Engine;

/** `kill` is kill -9, the return `awayMs` later; `freeze` is SIGSTOP for as long, connections open. */
export interface Fault {
  readonly kind: 'kill' | 'freeze';
  readonly target: FaultTarget;
  /** From the beginning of the cycle. */
  readonly afterMs: number;
  readonly awayMs: number;
}

/** How often each is hit: those that carry money most. */
const KILLED: readonly Victim[] = [
  'completion',
  'completion',
  'completion',
  'completion',
  'billing',
  'billing',
  'billing',
  'store',
  'store',
  'store',
  'gateway',
  'gateway',
  'kafka',
  'routing',
  'identity',
  'stats',
  'webhook',
  'redis',
];
const FROZEN: readonly Victim[] = ['kafka', 'store', 'billing', 'completion'];

const FAULTS_MAX = 3;
const BEGIN_MS_MAX = 4_000;
const FREEZE_CHANCE = 0.25;
/** Mostly a quick restart; at times something stays away for seconds. */
const LONG_CHANCE = 0.25;
const SHORT_MS_MAX = 800;
const LONG_MS = [2_000, 6_000] as const;

/** What happens in one cycle: one to three faults, no target twice. */
export function planCycle(random: SeededRandom, replicas: Replicas = {}): readonly Fault[] {
  const faults = new Map<FaultTarget, Fault>();
  const wanted = random.integer(1, FAULTS_MAX);
  while (faults.size < wanted) {
    const kind = random.chance(FREEZE_CHANCE) ? 'freeze' : 'kill';
    const target = pickOne(random, random.pick(kind === 'freeze' ? FROZEN : KILLED), replicas);
    const afterMs = Math.round(random.between(0, BEGIN_MS_MAX));
    const isLong = kind === 'freeze' || random.chance(LONG_CHANCE);
    const awayMs = Math.round(
      isLong ? random.between(...LONG_MS) : random.between(0, SHORT_MS_MAX),
    );
    if (!faults.has(target)) faults.set(target, { kind, target, afterMs, awayMs });
  }
  return [...faults.values()];
}

/** Any replica of the service; where there is one only, nothing is drawn. */
function pickOne(random: SeededRandom, victim: Victim, replicas: Replicas): FaultTarget {
  if (victim === 'store' || victim === 'kafka' || victim === 'redis') return victim;
  const number = (replicas[victim] ?? 1) === 1 ? 1 : random.integer(1, replicas[victim] ?? 1);
  return number === 1 ? victim : `${victim}-${number}`;
}
