import { makeDirectory } from '../../support/temporary-directory';
import { type CostLoad, measureCost } from '../load/cost';
import { openManyAccounts, type Population } from '../load/many-accounts';
import { warmUp } from '../load/warm-up';
import { count, formatTable, ratio } from '../report/table';
import { startTollgateInOne, type TollgateInOne } from '../systems/tollgate-in-one';
import { startSeparateTollgate } from '../systems/tollgate-separate';
import { bodyOf, promptOf, type Scenario, STREAMED, type TestBed, WHOLE } from '../test-bed';

const ACCOUNTS = 1000;
const KEYS = 10_000;
const CHANNELS = 200;
const CHANNEL_MODELS = 100;
const REPLICAS = 3;
/** Enough for each of the keys to ask once. */
const ROUND_SECONDS = 90;
/** Calls for management at once while channels are made. */
const MAKERS = 8;

interface Row {
  readonly what: string;
  readonly expected: string;
  readonly cpuUs: number;
  readonly baseUs: number;
}

/** For the seconds that the options say, unless it says its own. */
type GrowthLoad = Omit<CostLoad, 'seconds'> & Partial<Pick<CostLoad, 'seconds'>>;

/** How the cost of a request grows with what an installation has. */
export const growth: Scenario = {
  about: 'CPU of a request against prompt, stream, keys, accounts, channels and replicas',
  async run(testBed) {
    const rows = [...(await measureOneProcess(testBed)), ...(await measureReplicas(testBed))];
    const table = formatTable(
      ['what grows', 'expected', 'CPU µs', 'without', 'ratio'],
      rows.map(({ what, expected, cpuUs, baseUs }) => [
        what,
        expected,
        count(cpuUs),
        count(baseUs),
        ratio(cpuUs / baseUs),
      ]),
    );
    const how =
      'CPU of all processes a request, 16 callers, beside the same without what grows, measured just ' +
      'before. All but the last rows are of one process.';
    return { title: 'Growth', markdown: `${how}\n\n${table}` };
  },
};

async function measureOneProcess(testBed: TestBed): Promise<readonly Row[]> {
  const { options, progress, vendorUrl } = testBed;
  const system = await startTollgateInOne(vendorUrl, {
    TOLLGATE_GATEWAY_MANAGEMENT_PER_MINUTE: '100000',
  });
  const rows: Row[] = [];
  const cost = async (load: GrowthLoad) =>
    (await measureCost(system, vendorUrl, { seconds: options.seconds, ...load })).cpuUs;
  const compare = async (
    what: string,
    expected: string,
    grown: GrowthLoad,
    base: GrowthLoad = { bodies: [WHOLE] },
  ) => {
    const baseUs = await cost(base);
    rows.push({ what, expected, baseUs, cpuUs: await cost(grown) });
    progress(what);
  };
  try {
    await warmUp(system, options.warmUpSeconds);
    await compare('prompt of 4 KB', 'a little', { bodies: [promptOf(4)] });
    await compare('prompt of 40 KB', '10 × the difference of 4 KB', { bodies: [promptOf(40)] });
    await compare('stream of 340 events', '10 × one of 34', burst(340), { bodies: [STREAMED] });
    const keys = await openMany(system, {
      accounts: 1,
      keys: Math.min(KEYS, options.accounts),
      plan: 'enterprise',
    });
    const ofKeys = `${count(keys.length)} keys of one account`;
    await compare(`${ofKeys}, the first request of each`, 'a key is looked up', eachOnce(keys));
    await compare(`${ofKeys}, the second`, 'nothing', eachOnce(keys));
    const accounts = Math.min(ACCOUNTS, options.accounts);
    const owners = await openMany(system, { accounts, keys: accounts, plan: 'enterprise' });
    const ofAccounts = `${count(accounts)} accounts`;
    const firsts = 'a key and a lease for each';
    await compare(`${ofAccounts}, the first request of each`, firsts, eachOnce(owners));
    const many = { bodies: [WHOLE], keys: owners };
    await compare(`${ofAccounts}, in turn`, 'a lease and a settlement in a while', many);
    await openChannels(system);
    const channels = `${CHANNELS} channels of ${CHANNEL_MODELS} models`;
    await compare(`${channels}, by name`, 'nothing', { bodies: [WHOLE] });
    await compare(`${channels}, auto-cheap`, 'the choice itself', {
      bodies: [bodyOf({ model: 'auto-cheap' })],
    });
    return rows;
  } finally {
    await system.stop();
  }
}

function eachOnce(keys: readonly string[]): GrowthLoad {
  return { bodies: [WHOLE], keys, requestsMax: keys.length, seconds: ROUND_SECONDS };
}

function burst(events: number): GrowthLoad {
  const messages = [{ role: 'user', content: `burst=${events}` }];
  return { bodies: [bodyOf({ messages, stream: true })] };
}

async function openMany(system: TollgateInOne, counts: Population): Promise<readonly string[]> {
  const directory = makeDirectory();
  try {
    const { environment } = system;
    const place = { environment, directory: directory.path };
    return await openManyAccounts(system.operator, counts, place);
  } finally {
    directory.remove();
  }
}

/** Channels that lead to the same vendor and serve many models each. */
async function openChannels({ environment, operator }: TollgateInOne): Promise<void> {
  const names = Array.from({ length: CHANNEL_MODELS }, (_, index) => `grown-${index}`);
  for (const name of names) {
    const pricing = { prompt: '1.00', completion: '3.00' };
    const limits = { context_length: 100_000, max_completion_tokens: 4_096 };
    await operator.post('/v1/admin/models', { name, ...limits, pricing });
  }
  const waiting = Array.from({ length: CHANNELS }, (_, index) => `Channel ${index}`);
  const work = async () => {
    for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
      await operator.post('/v1/admin/channels', {
        name,
        type: 'openai',
        base_url: environment.TOLLGATE_INIT_CHANNEL_BASE_URL,
        models: names.map((model) => ({ name: model })),
      });
    }
  };
  await Promise.all(Array.from({ length: MAKERS }, work));
}

async function measureReplicas(testBed: TestBed): Promise<readonly Row[]> {
  const of = async (completion: number) => {
    const system = await startSeparateTollgate(testBed.vendorUrl, { replicas: { completion } });
    try {
      await warmUp(system, testBed.options.warmUpSeconds);
      const { seconds } = testBed.options;
      return (await measureCost(system, testBed.vendorUrl, { bodies: [WHOLE], seconds })).cpuUs;
    } finally {
      await system.stop();
    }
  };
  const baseUs = await of(1);
  const what = `${REPLICAS} instances of completion, all services`;
  return [{ what, expected: 'smaller batches in each', baseUs, cpuUs: await of(REPLICAS) }];
}
