import { parseArgs } from 'node:util';
import { oneOf, wholeNumber } from '../support/option-values';
import { REPLICATED, type Replicas } from '../topologies/instances';
import type { PlacementOptions } from '../topologies/placement';
import type { StoreKind } from './fault-system';

export const USAGE = `Starts every service as processes of its own on real engines, kills and freezes them
under load, and compares every charge with what the vendor delivered and what the clients received.

usage: npm run faults -- [options]

  --scenario S   kill-loop (default); kafka-frozen: Kafka frozen under steady load; rolling-restart:
                 every replica of every service replaced under open streams; single-faults: one
                 fault after another under steady load, and what clients see of each; serve:
                 nothing happens, until ctrl-c. No client may notice anything of the second and third
  --engines E    real: MongoDB under the services; embedded: our document store over TCP
                 (default: real where a MongoDB server can be had; Kafka and Redis are always real)
  --topology T   replicated: three MongoDB servers, three replicas of billing, two of everything
                 else (default with real engines); single: one process of each
  --logs D       writes what was found and all that every process printed into directory D
  --help         prints this

replicated:
  --delay-ms N        each way between services (default 0)
  --loss-per-mille N  of what is sent between services comes only when it is repeated (default 0)
  --clock-off-s N     the clocks of the second gateway, completion and billing are ahead by so much

kill-loop:
  --cycles N     how many rounds of faults (default 10)
  --requests N   requests in all of them together (default 100 a cycle)
  --seed S       decides faults and requests (default: the time)
  --lease-ms N   how long a credit lease lives; short ones run out during faults
                 (default: what billing has)
  --evidence F   writes everything that was seen to file F, as JSON

kafka-frozen:
  --before-s N   seconds of load before (default 30)
  --frozen-s N   seconds that Kafka is frozen (default 120)
  --after-s N    seconds of load after (default 20)
  --settled-s N  seconds from Kafka's return until all must be in the ledger (default 60)
  --connections N  clients at once (default 16)
  --accounts N   accounts that they ask for (default 60)

rolling-restart:
  --streams N    streams that are open at any time (default 200)
  --accounts N   accounts that they ask for (default 60)

single-faults:
  --faults L     names with commas between them, or all, or none: what a slow network or a wrong
                 clock does by itself (default all)
  --kafka-away-s N  seconds that Kafka is away (default 60)
  --connections N   clients at once (default 16)
  --accounts N      accounts that they ask for (default 60)

Exit code 0 when nothing was lost, charged twice, below zero or adrift, and in kafka-frozen and
rolling-restart nobody was refused, cut or slowed down.
`;

const CYCLES_DEFAULT = 10;
const REQUESTS_PER_CYCLE = 100;

const SCENARIOS = {
  'kill-loop': 'kill-loop',
  'kafka-frozen': 'kafka-frozen',
  'rolling-restart': 'rolling-restart',
  'single-faults': 'single-faults',
  serve: 'serve',
} as const;

/** What the command line asks for. */
export interface Options {
  readonly help: boolean;
  readonly scenario: keyof typeof SCENARIOS;
  readonly store: StoreKind;
  readonly surroundings: PlacementOptions;
  readonly cycles: number;
  readonly requests: number;
  readonly seed: number;
  readonly leaseMs: number | undefined;
  /** File for everything that was seen. */
  readonly evidence: string | undefined;
  /** Directory for all that the processes print. */
  readonly logs: string | undefined;
  readonly beforeS: number;
  readonly frozenS: number;
  readonly afterS: number;
  readonly settledS: number;
  readonly connections: number;
  readonly accounts: number;
  readonly streams: number;
  /** Undefined for every one that there is. */
  readonly faults: readonly string[] | undefined;
  readonly kafkaAwayS: number;
}

/** Undefined, with the reason on standard error, when it cannot be understood. */
export function readOptions(args: readonly string[], hasMongodb: boolean): Options | undefined {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        help: { type: 'boolean', default: false },
        scenario: { type: 'string', default: 'kill-loop' },
        engines: { type: 'string', default: hasMongodb ? 'real' : 'embedded' },
        topology: { type: 'string' },
        'delay-ms': { type: 'string', default: '0' },
        'loss-per-mille': { type: 'string', default: '0' },
        'clock-off-s': { type: 'string', default: '0' },
        cycles: { type: 'string', default: String(CYCLES_DEFAULT) },
        requests: { type: 'string' },
        seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
        'lease-ms': { type: 'string' },
        evidence: { type: 'string' },
        logs: { type: 'string' },
        'before-s': { type: 'string', default: '30' },
        'frozen-s': { type: 'string', default: '120' },
        'after-s': { type: 'string', default: '20' },
        'settled-s': { type: 'string', default: '60' },
        connections: { type: 'string', default: '16' },
        accounts: { type: 'string', default: '60' },
        streams: { type: 'string', default: '200' },
        faults: { type: 'string', default: 'all' },
        'kafka-away-s': { type: 'string', default: '60' },
      },
    });
    const isReal = oneOf(values.engines, { real: true, embedded: false });
    const topology = values.topology ?? (isReal ? 'replicated' : 'single');
    const replicas = oneOf(topology, { replicated: REPLICATED, single: {} });
    const cycles = wholeNumber(values.cycles);
    const given = values['lease-ms'];
    return {
      help: values.help,
      scenario: oneOf(values.scenario, SCENARIOS),
      store: storeOf(isReal, replicas),
      surroundings: {
        replicas,
        ...networkOf(wholeNumber(values['delay-ms']), wholeNumber(values['loss-per-mille'])),
        ...clocksOf(wholeNumber(values['clock-off-s'])),
      },
      cycles,
      requests: wholeNumber(values.requests ?? String(cycles * REQUESTS_PER_CYCLE)),
      seed: wholeNumber(values.seed),
      leaseMs: given === undefined ? undefined : wholeNumber(given),
      evidence: values.evidence,
      logs: values.logs,
      beforeS: wholeNumber(values['before-s']),
      frozenS: wholeNumber(values['frozen-s']),
      afterS: wholeNumber(values['after-s']),
      settledS: wholeNumber(values['settled-s']),
      connections: wholeNumber(values.connections),
      accounts: wholeNumber(values.accounts),
      streams: wholeNumber(values.streams),
      faults: namesOf(values.faults),
      kafkaAwayS: wholeNumber(values['kafka-away-s']),
    };
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n`);
    return undefined;
  }
}

function namesOf(list: string): readonly string[] | undefined {
  if (list === 'all') return undefined;
  return list === 'none' ? [] : list.split(',');
}

function storeOf(isReal: boolean, replicas: Replicas): StoreKind {
  if (!isReal) return 'embedded';
  return replicas === REPLICATED ? 'mongodb-set' : 'mongodb';
}

function networkOf(delayMs: number, lossPerMille: number): Pick<PlacementOptions, 'network'> {
  if (delayMs === 0 && lossPerMille === 0) return {};
  return { network: { delayMs, loss: lossPerMille / 1000 } };
}

function clocksOf(aheadS: number): Pick<PlacementOptions, 'clockOffsetMs'> {
  if (aheadS === 0) return {};
  const offsetMs = aheadS * 1000;
  return {
    clockOffsetMs: { 'gateway-2': offsetMs, 'completion-2': offsetMs, 'billing-2': offsetMs },
  };
}
