import type { SystemName } from '../systems/system';
import { caseName, type SpeedCase, type SpeedResult, type Trial } from './speed-result';
import { count, formatTable, formatTargets, median, ratio, type Target, withRange } from './table';

type Measure = (trial: Trial) => number | undefined;

const SYSTEMS: readonly SystemName[] = [
  'vendor alone',
  'R',
  'hop',
  'P',
  'one-api',
  'Tollgate',
  'Tollgate, one process',
];
const PAIR: readonly string[] = ['gateway', 'completion'];

const perSecond: Measure = (trial) => trial.perSecond;
const allCpu: Measure = ({ cpuUs }) => sumOf(cpuUs, () => true);
const pairCpu: Measure = ({ cpuUs }) => sumOf(cpuUs, (name) => PAIR.includes(name));
const p50: Measure = ({ p50Us }) => p50Us;
const firstToken: Measure = ({ firstTokenP50Us }) => firstTokenP50Us;

/** The tables of a run, and how it stands to the targets. */
export function formatSpeed(result: SpeedResult): string {
  const read = createReader(result);
  return [
    formatSystems(result, read),
    LEGEND,
    'Tollgate by process, CPU µs a request:',
    formatProcesses(result, read),
    'Against the targets, all features on:',
    formatTargets(targetsOf(read, median(result.syncUs))),
    ...(result.failures.length === 0
      ? []
      : ['Could not be measured:', result.failures.map((failure) => `- ${failure}`).join('\n')]),
  ].join('\n\n');
}

const LEGEND =
  'R passes bytes on and does nothing else; hop is two processes with one session between them and ' +
  "nothing else; P is Portkey's gateway, features off; one-api is that gateway in Go with its features on: " +
  'a key, a quota and a row of its log in SQLite for each request. Tollgate is every service as a process ' +
  'of its own on one core, with MongoDB, Kafka and Redis on the other and not counted; throughput of it is ' +
  'that of all services together. Added is what a caller waits longer than without anything in between.';

interface Reader {
  /** All values of a measure, one for each trial. */
  all(system: SystemName, of: SpeedCase, measure: Measure): readonly number[];
  mid(system: SystemName, of: SpeedCase, measure: Measure): number;
  /** The middle value beyond that of the vendor alone, whose times are known for one caller. */
  added(system: SystemName, of: SpeedCase, measure: Measure): number;
}

function createReader({ trials }: SpeedResult): Reader {
  const all: Reader['all'] = (system, of, measure) =>
    trials
      .filter((trial) => trial.contender === system && caseName(trial.of) === caseName(of))
      .map(measure)
      .filter((value): value is number => value !== undefined);
  const mid: Reader['mid'] = (...asked) => median(all(...asked));
  const added: Reader['added'] = (system, of, measure) =>
    mid(system, of, measure) - mid('vendor alone', of, measure);
  return { all, mid, added };
}

function sumOf(cpuUs: ReadonlyMap<string, number>, isMeant: (name: string) => boolean): number {
  return [...cpuUs].reduce((sum, [name, us]) => sum + (isMeant(name) ? us : 0), 0);
}

function formatSystems({ cases }: SpeedResult, read: Reader): string {
  const rows = cases.flatMap((of) =>
    SYSTEMS.filter((system) => read.all(system, of, perSecond).length > 0).map((system) => {
      const against = (other: SystemName, measure: Measure) =>
        ratio(read.mid(system, of, measure) / read.mid(other, of, measure));
      const isDirect = system === 'vendor alone';
      const range = (measure: Measure) => withRange(read.all(system, of, measure));
      return [
        caseName(of),
        system,
        range(perSecond),
        against('R', perSecond),
        against('P', perSecond),
        isDirect ? '–' : range(allCpu),
        isDirect ? '–' : against('P', allCpu),
        range(p50),
        isDirect ? '–' : count(read.added(system, of, p50)),
        range(({ p99Us }) => p99Us),
        isDirect ? '–' : count(read.added(system, of, firstToken)),
      ];
    }),
  );
  const heads = [
    'load',
    'system',
    'requests/s',
    '÷ R',
    '÷ P',
    'CPU µs',
    '÷ P',
    'p50 µs',
    'added',
    'p99 µs',
    'added first token µs',
  ];
  return formatTable(heads, rows);
}

function formatProcesses({ cases, trials }: SpeedResult, read: Reader): string {
  const names = new Set(
    trials
      .filter(({ contender }) => contender === 'Tollgate')
      .flatMap(({ cpuUs }) => [...cpuUs.keys()]),
  );
  const others = [...names].filter((name) => !PAIR.includes(name));
  const rows = cases.map((of) => {
    const range = (measure: Measure) => withRange(read.all('Tollgate', of, measure));
    return [
      caseName(of),
      ...PAIR.map((name) => range(({ cpuUs }) => cpuUs.get(name))),
      range(pairCpu),
      ...others.map((name) => range(({ cpuUs }) => cpuUs.get(name))),
      range(allCpu),
      withRange(read.all('P', of, allCpu)),
      withRange(read.all('hop', of, allCpu)),
    ];
  });
  return formatTable(['load', ...PAIR, 'both', ...others, 'all', 'P', 'hop'], rows);
}

const whole = (connections: number): SpeedCase => ({ kind: 'whole', connections });
const stream = (connections: number): SpeedCase => ({ kind: 'stream', connections });

function targetsOf(read: Reader, syncUs: number): readonly Target[] {
  return [...cpuTargets(read), ...throughputTargets(read), ...waitingTargets(read, syncUs)];
}

function cpuTargets(read: Reader): readonly Target[] {
  const pair = (of: SpeedCase) => read.mid('Tollgate', of, pairCpu);
  const portkey = (of: SpeedCase) => read.mid('P', of, allCpu);
  return [
    {
      what: 'CPU of gateway and completion, whole, c=16 ÷ P',
      about: 'pair',
      value: pair(whole(16)) / portkey(whole(16)),
      atMost: 0.22,
      stretch: 0.15,
    },
    {
      what: 'CPU of all services, whole, c=16 ÷ P',
      about: 'all',
      value: read.mid('Tollgate', whole(16), allCpu) / portkey(whole(16)),
      atMost: 0.4,
    },
    {
      what: 'CPU of all services, whole, c=16 ÷ one-api',
      about: 'all',
      value: read.mid('Tollgate', whole(16), allCpu) / read.mid('one-api', whole(16), allCpu),
      atMost: 0.25,
      stretch: 0.2,
    },
    {
      what: 'CPU of gateway and completion, stream, c=16 ÷ P',
      about: 'streams',
      value: pair(stream(16)) / portkey(stream(16)),
      atMost: 0.3,
      stretch: 0.2,
    },
    {
      what: 'CPU of gateway and completion, whole, c=16 ÷ hop',
      about: 'pair',
      value: pair(whole(16)) / read.mid('hop', whole(16), allCpu),
      atMost: 2,
    },
  ];
}

function throughputTargets(read: Reader): readonly Target[] {
  const alone = 1_000_000 / read.mid('Tollgate', whole(16), pairCpu);
  const events = (system: SystemName) => read.mid(system, stream(16), perSecond);
  return [
    {
      what: 'requests/s that the CPU of gateway and completion allows on one core ÷ P, c=16',
      about: 'pair',
      value: alone / read.mid('P', whole(16), perSecond),
      atLeast: 4.5,
      stretch: 6,
    },
    {
      what: 'the same ÷ R',
      about: 'pair',
      value: alone / read.mid('R', whole(16), perSecond),
      atLeast: 0.45,
      stretch: 0.6,
    },
    {
      what: 'relayed events/s, all services on one core, c=16 ÷ P',
      about: 'streams',
      value: events('Tollgate') / events('P'),
      atLeast: 5,
    },
  ];
}

/** What a caller waits longer than without anything in between. */
function waitingTargets(read: Reader, syncUs: number): readonly Target[] {
  const addedPeer = read.added('P', whole(1), p50);
  const added = read.added('Tollgate', whole(1), p50);
  const first = read.added('Tollgate', stream(1), firstToken);
  return [
    {
      what: 'added p50, whole, c=1 ÷ P',
      about: 'alone',
      value: added / addedPeer,
      atMost: 0.5,
      stretch: 0.35,
    },
    {
      what: `the same without one fdatasync (${count(syncUs)} µs)`,
      about: 'alone',
      value: (added - syncUs) / addedPeer,
      atMost: 0.5,
      stretch: 0.35,
    },
    {
      what: 'added first token, c=1 ÷ P',
      about: 'firstToken',
      value: first / read.added('P', stream(1), firstToken),
      atMost: 0.05,
      stretch: 0.03,
    },
  ];
}
