import { randomInt } from 'node:crypto';
import { createSeededRandom } from '../support/seeded-random';
import { startHop, startPassThrough, startVendorAlone } from './systems/floors';
import { startOneApi } from './systems/one-api';
import { startPortkey } from './systems/portkey';
import type { Contender } from './systems/system';
import { startTollgateInOne } from './systems/tollgate-in-one';
import { startSeparateTollgate } from './systems/tollgate-separate';

/** What the command line asks for. */
export interface BenchOptions {
  readonly rounds: number;
  /** Of one trial. */
  readonly seconds: number;
  readonly warmUpSeconds: number;
  readonly seed: number;
  readonly accounts: number;
  /** How long many accounts ask, and how long the soak is. */
  readonly longSeconds: number;
  readonly clone: boolean;
}

/** What every scenario measures with. */
export interface TestBed {
  readonly vendorUrl: string;
  readonly options: BenchOptions;
  readonly random: ReturnType<typeof createSeededRandom>;
  readonly contenders: Readonly<
    Record<
      'vendorAlone' | 'passThrough' | 'portkey' | 'oneApi' | 'hop' | 'separate' | 'inOne',
      Contender
    >
  >;
  progress(sentence: string): void;
}

/** What a scenario found, as it stands on the page. */
export interface Section {
  readonly title: string;
  readonly markdown: string;
  /** Drawn beside the page, and shown in it. */
  readonly plot?: { readonly name: string; readonly alt: string; readonly svg: string };
}

/** A scenario that can be asked for by its name. */
export interface Scenario {
  readonly about: string;
  run(testBed: TestBed): Promise<Section>;
}

const MESSAGES = [{ role: 'user', content: 'Say something of middling length, please.' }];
/** The request that is answered with 0.4 KB at once. */
export const WHOLE = bodyOf({});
/** The request that is answered with 34 events, which leave the vendor one by one. */
export const STREAMED = bodyOf({ stream: true });
export const EVENTS_OF_STREAM = 34;

/** A request with further members, or with a prompt of its own. */
export function bodyOf(members: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({ model: 'bench', messages: MESSAGES, max_tokens: 1000, ...members });
}

const SENTENCE = 'The quick brown fox reads what was written before it jumps over anything. ';

/** A request whose prompt has so many thousand letters. */
export function promptOf(kilobytes: number): string {
  const letters = Math.round(kilobytes * 1000);
  const content = SENTENCE.repeat(Math.ceil(letters / SENTENCE.length)).slice(0, letters);
  return bodyOf({ messages: [{ role: 'user', content }] });
}

/** The request for a stream of so many events at that pace. */
export function pacedBody(events: number, everyMs: number): string {
  const messages = [{ role: 'user', content: `events=${events} every=${everyMs}` }];
  return bodyOf({ messages, stream: true });
}

export function createTestBed(
  vendorUrl: string,
  options: BenchOptions,
  progress: (sentence: string) => void,
): TestBed {
  return {
    vendorUrl,
    options,
    progress,
    random: createSeededRandom(options.seed),
    contenders: {
      vendorAlone: { name: 'vendor alone', start: () => startVendorAlone(vendorUrl) },
      passThrough: { name: 'R', start: (more = {}) => startPassThrough(vendorUrl, more) },
      portkey: { name: 'P', start: (more = {}) => startPortkey(vendorUrl, more) },
      oneApi: { name: 'one-api', start: (more = {}) => startOneApi(vendorUrl, more) },
      hop: { name: 'hop', start: (more = {}) => startHop(vendorUrl, more) },
      separate: {
        name: 'Tollgate',
        start: (environment = {}) => startSeparateTollgate(vendorUrl, { environment }),
      },
      inOne: {
        name: 'Tollgate, one process',
        start: (more = {}) => startTollgateInOne(vendorUrl, more),
      },
    },
  };
}

/** A seed that nobody has chosen. */
export const anySeed = (): number => randomInt(2 ** 31);
