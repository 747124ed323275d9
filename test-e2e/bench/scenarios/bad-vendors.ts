import { setTimeout as delay } from 'node:timers/promises';
import { createMeter, type Meter } from '../../support/process-meter';
import { type ClientResult, runClient } from '../load/client';
import { readTicks } from '../load/ticks';
import { readVendor, VENDOR_CAP, type VendorState } from '../load/vendor';
import { count, formatTable, formatTargets, milliseconds, type Target } from '../report/table';
import { formatTicks } from '../report/ticks';
import { startTollgateInOne, type TollgateSystem } from '../systems/tollgate-in-one';
import { bodyOf, type Scenario } from '../test-bed';

const PER_SECOND = 20;
const BAD_SECONDS = 50;
const DETECTED_MS = 5000;
const HEALED_SECONDS = 30;
const AFTERWARDS_SECONDS = 10;
const CALM_MS = 2000;
const STREAMED = bodyOf({ stream: true });
const CAPPED = bodyOf({ model: 'capped', stream: true });

/** What clients feel of vendors that fail, stall and are asked for too much. */
export const badVendors: Scenario = {
  about: 'one of three channels fails half of its calls and one stalls; three times too much load',
  async run(testBed) {
    const meter = createMeter();
    const system = await startTollgateInOne(`${testBed.vendorUrl}/good`, {
      ...meter.environment,
      TOLLGATE_EGRESS_ALLOWED_HOSTS: new URL(testBed.vendorUrl).host,
      // A stream that is silent for so long is asked elsewhere.
      TOLLGATE_COMPLETION_FIRST_TOKEN_TIMEOUT_MS: '5000',
    });
    try {
      const healthy = await ask(system, STREAMED, PER_SECOND, AFTERWARDS_SECONDS);
      await addVendors(system, testBed.vendorUrl);
      const bad = await measureBadChannels(system, testBed.vendorUrl, healthy);
      const load = await measureOverload(system, meter);
      const how =
        `Streams at ${PER_SECOND} a second, whose first token takes 200 ms and a random time of 100 ms on ` +
        `average. For ${BAD_SECONDS} s one of three channels fails half of its calls and one takes requests ` +
        'and says nothing; then both heal. A channel of 20 at once gets three times what it can answer, ' +
        'each request timed from when it was due; the longest tick meanwhile tells work from waiting.';
      const markdown = [
        how,
        bad.table,
        load.table,
        load.ticks,
        formatTargets([...bad.targets, ...load.targets]),
      ];
      return { title: 'Bad vendors', markdown: markdown.join('\n\n') };
    } finally {
      await system.stop();
      meter.remove();
    }
  },
};

async function addVendors({ operator }: TollgateSystem, vendorUrl: string): Promise<void> {
  const add = (name: string, model: string, more = {}) =>
    operator.post('/v1/admin/channels', {
      name,
      type: 'openai',
      base_url: `${vendorUrl}/${name}/v1`,
      credential: 'none',
      models: [{ name: model }],
      ...more,
    });
  await operator.post('/v1/admin/models', {
    name: 'capped',
    context_length: 8192,
    max_completion_tokens: 1000,
    pricing: { prompt: '0.10', completion: '0.40' },
  });
  await add('capped', 'capped', { max_concurrency: VENDOR_CAP });
  await add('half', 'bench');
  await add('stalling', 'bench');
}

async function measureBadChannels(
  system: TollgateSystem,
  vendorUrl: string,
  healthy: ClientResult,
) {
  const { hitsOf: before } = await readVendor(vendorUrl);
  const running = ask(system, STREAMED, PER_SECOND, BAD_SECONDS);
  await delay(DETECTED_MS);
  const { hitsOf: detected } = await readVendor(vendorUrl);
  const bad = await running;
  const { hitsOf: end } = await readVendor(vendorUrl);
  await fetch(`${vendorUrl}/heal`);
  await ask(system, STREAMED, PER_SECOND, HEALED_SECONDS);
  const { hitsOf: healed } = await readVendor(vendorUrl);
  await ask(system, STREAMED, PER_SECOND, AFTERWARDS_SECONDS);
  const { hitsOf: after } = await readVendor(vendorUrl);
  const rows = (['good', 'half', 'stalling'] as const).map((name) => [
    name,
    count(end[name] - before[name]),
    percent(shareOf(name, before, detected)),
    percent(shareOf(name, detected, end)),
    percent(shareOf(name, healed, after)),
  ]);
  const heads = [
    'vendor',
    'calls',
    'share, first 5 s',
    'share after 5 s',
    'share 30 s after healing',
  ];
  const succeeded = (bad.statuses['200'] ?? 0) - bad.failures;
  const p99 = ({ firstToken }: ClientResult) => firstToken.p99Us ?? Number.NaN;
  const targets: readonly Target[] = [
    {
      about: 'badVendors',
      what: `succeeded, percent of ${bad.requests}`,
      atLeast: 99.5,
      value: (100 * succeeded) / bad.requests,
    },
    {
      about: 'badVendors',
      what: 'first-token p99 ÷ that of the healthy channel',
      atMost: 2,
      value: p99(bad) / p99(healthy),
    },
    {
      about: 'badVendors',
      what: 'calls of vendors for a request',
      atMost: 1.2,
      value: totalOf(before, end) / bad.requests,
    },
    ...(['half', 'stalling'] as const).flatMap((name): readonly Target[] => [
      {
        about: 'badVendors',
        what: `share of ${name} after 5 s, percent`,
        atMost: 5,
        value: 100 * shareOf(name, detected, end),
      },
      {
        about: 'badVendors',
        what: `share of ${name} 30 s after it healed, percent`,
        atLeast: 20,
        value: 100 * shareOf(name, healed, after),
      },
    ]),
  ];
  return { table: formatTable(heads, rows), targets };
}

async function measureOverload(system: TollgateSystem, meter: Meter) {
  const seconds = 20;
  const peak = await ask(system, CAPPED, undefined, AFTERWARDS_SECONDS);
  const peakPerSecond = (peak.statuses['200'] ?? 0) / peak.seconds;
  await readTicks(system, meter);
  const load = await ask(system, CAPPED, 3 * VENDOR_CAP, seconds, [503]);
  const ticks = await readTicks(system, meter);
  await delay(CALM_MS);
  const after = await ask(system, CAPPED, VENDOR_CAP / 2, AFTERWARDS_SECONDS);
  const served = load.statuses['200'] ?? 0;
  const refused = load.statuses['503'] ?? 0;
  const heads = [
    'peak/s',
    'asked',
    'served',
    'refused',
    'p99 of a refusal ms',
    'sent late by (p99) ms',
    'p99 afterwards ms',
  ];
  const row = [
    count(peakPerSecond),
    count(load.requests),
    count(served),
    count(refused),
    ...[load.latency, load.late, after.latency].map(({ p99Us }) => milliseconds(p99Us)),
  ];
  const targets: readonly Target[] = [
    {
      about: 'badVendors',
      what: 'goodput under three times the load, percent of the peak',
      atLeast: 80,
      value: (100 * served) / seconds / peakPerSecond,
    },
    {
      about: 'badVendors',
      what: 'p99 of a refusal, ms',
      atMost: 100,
      value: (load.latency.p99Us ?? Number.NaN) / 1000,
    },
    {
      about: 'badVendors',
      what: 'answered 2 s afterwards, percent',
      atLeast: 100,
      value: (100 * (after.statuses['200'] ?? 0)) / after.requests,
    },
  ];
  return {
    table: formatTable(heads, [row]),
    ticks: formatTicks([{ name: 'Tollgate, one process', ticks }]),
    targets,
  };
}

/** At a fixed rate, or as fast as the capped vendor answers. */
function ask(
  { headers, url }: TollgateSystem,
  body: string,
  perSecond: number | undefined,
  seconds: number,
  expected: readonly number[] = [200],
): Promise<ClientResult> {
  const load = { url, headers, bodies: [body], seconds, expected };
  return perSecond === undefined
    ? runClient({ ...load, connections: VENDOR_CAP })
    : runClient({ ...load, connections: 512, perSecond });
}

type Hits = VendorState['hitsOf'];

function totalOf(from: Hits, to: Hits): number {
  return to.good + to.half + to.stalling - from.good - from.half - from.stalling;
}

function shareOf(name: keyof Hits, from: Hits, to: Hits): number {
  return (to[name] - from[name]) / totalOf(from, to);
}

const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
