import type { ChannelType } from '@tollgate/core';
import { AppError, nano } from '@tollgate/core';
import { createFakeClock, createRecordingLogger } from '@tollgate/testkit';
import type { Channel } from '../domain/channel';
import type { Model } from '../domain/model';
import type { ModelListing } from '../domain/ports';
import { describeVendors, type FirstChannelOptions, prepareFirstChannel } from './first-channel';

const CREDENTIAL = 'a-credential-for-tests';
const MODELS = [{ name: 'small', promptPrice: nano(1n), completionPrice: nano(2n) }];

interface StartOptions {
  readonly channelModels?: typeof MODELS;
  readonly simulatorBaseUrl?: string;
  readonly channelBaseUrl?: string;
  readonly listing?: ModelListing;
  readonly refused?: AppError;
}

/** The channels that a first start makes, and every address that its credential goes to. */
async function startWith(
  channelType: ChannelType,
  { channelModels, simulatorBaseUrl, channelBaseUrl, ...vendor }: StartOptions,
) {
  const made: Channel[] = [];
  const models: Model[] = [];
  const asked: unknown[] = [];
  const logger = createRecordingLogger();
  const options = {
    channels: {
      listAll: () => Promise.resolve([]),
      insert: (channel: Channel) => Promise.resolve(void made.push(channel)),
    },
    models: { insert: (model: Model) => Promise.resolve(models.push(model) > 0) },
    routeChanges: { append: () => Promise.resolve() },
    probe: {
      checkAddress: () =>
        vendor.refused === undefined ? Promise.resolve() : Promise.reject(vendor.refused),
      listModels: (...call: readonly unknown[]) => {
        asked.push(call);
        const listing = { names: ['listed', 'gpt-4o'], httpStatus: 200, error: '' };
        return Promise.resolve(vendor.listing ?? listing);
      },
    },
    alone: <T>(work: () => Promise<T>) => work(),
    sealer: { seal: (text: string) => text, open: (text: string) => text },
    ...{ clock: createFakeClock(), logger },
  } as unknown as FirstChannelOptions;
  await prepareFirstChannel(options, {
    ...{ channelType, channelModels, simulatorBaseUrl },
    channelBaseUrl,
    channelCredential: CREDENTIAL,
    ...{ promptPrice: nano(1n), completionPrice: nano(2n), currency: 'USD' },
  });
  const warnings = logger.lines.filter(({ level }) => level === 'warn');
  return { made, asked, models, warnings: warnings.map(({ message }) => message) };
}

it.each([
  ['openai', 'https://api.openai.com/v1'],
  ['anthropic', 'https://api.anthropic.com/v1'],
  ['gemini', 'https://generativelanguage.googleapis.com/v1beta'],
] as const)('sends a credential of %s without an address to its own vendor', async (type, url) => {
  const { made } = await startWith(type, { channelModels: MODELS });
  expect(made.map(({ type, baseUrl }) => [type, baseUrl])).toEqual([[type, url]]);
});

it('asks the vendor of the type for its models, in its protocol', async () => {
  const { asked } = await startWith('anthropic', {});
  expect(asked).toEqual([['anthropic', 'https://api.anthropic.com/v1', CREDENTIAL]]);
});

it('prices what it finds by the list of the vendor, and marks what has no price there', async () => {
  const { models } = await startWith('openai', {});
  expect(models.map(({ name, prices: [price] }) => [name, price?.prompt, price?.source])).toEqual([
    ['listed', nano(1n), 'default'],
    ['gpt-4o', nano(2_500_000_000n), 'list'],
  ]);
});

it('lets through what its protocol can say, and knows what makes vectors by its name', async () => {
  const listing = { names: ['small', 'text-embedding-3-small'], httpStatus: 200, error: '' };
  const { made, models } = await startWith('openai', { listing });
  expect(made[0]?.capabilities).toEqual(expect.arrayContaining(['tools', 'response_format', 'n']));
  expect(models.map(({ name, kind }) => [name, kind])).toEqual([
    ['small', 'chat'],
    ['text-embedding-3-small', 'embedding'],
  ]);
  const anthropic = await startWith('anthropic', { channelModels: MODELS });
  expect(anthropic.made[0]?.capabilities).not.toContain('n');
});

it('makes no channel for a simulator that has no address', async () => {
  expect(await startWith('simulator', { channelModels: MODELS })).toMatchObject({
    ...{ made: [], asked: [], models: [] },
  });
  const { made } = await startWith('simulator', {
    channelModels: MODELS,
    simulatorBaseUrl: 'http://simulator.example/v1',
  });
  expect(made).toMatchObject([{ baseUrl: 'http://simulator.example/v1', followsSimulator: true }]);
});

it('a simulator somewhere else keeps its address when the one of this process moves', async () => {
  const { made } = await startWith('simulator', {
    channelModels: MODELS,
    channelBaseUrl: 'http://elsewhere.example/v1',
    simulatorBaseUrl: 'http://simulator.example/v1',
  });
  expect(made).toMatchObject([{ baseUrl: 'http://elsewhere.example/v1', followsSimulator: false }]);
});

describe('a vendor that gets no channel: the log says what happened and what to do', () => {
  const local = 'http://127.0.0.1:9/v1';
  const none = (httpStatus: number | null, error: string): ModelListing => ({
    ...{ names: [], httpStatus, error },
  });

  it.each([
    ['a refused credential', none(401, 'refused'), 'the vendor answered 401: check OPENAI_API_KEY'],
    ['a wrong path', none(404, 'none'), 'the vendor answered 404: check OPENAI_BASE_URL, or set '],
    ['a page', none(200, 'no list'), 'the vendor answered without a list of models: check OPENAI_'],
    ['an empty list', none(200, ''), 'the vendor lists no model that can be named here; set '],
    [
      'silence',
      none(null, 'silent'),
      '127.0.0.1:9 does not answer: check OPENAI_BASE_URL, or set ',
    ],
  ])('%s', async (_what, listing, sentence) => {
    const { made, warnings } = await startWith('openai', { channelBaseUrl: local, listing });
    expect(made).toEqual([]);
    expect(warnings).toEqual([expect.stringContaining(`no first channel: ${sentence}`)]);
  });

  it.each([[undefined], [MODELS]])('a private address, with the models %p', async (named) => {
    const refused = new AppError('VALIDATION_ERROR', { param: 'base_url' });
    const options = { channelBaseUrl: local, refused };
    const { made, asked, warnings } = await startWith('openai', {
      ...options,
      ...(named === undefined ? {} : { channelModels: named }),
    });
    expect([made, asked]).toEqual([[], []]);
    expect(warnings).toEqual([
      expect.stringContaining('is allowed by TOLLGATE_EGRESS_ALLOWED_HOSTS=127.0.0.1'),
    ]);
  });

  it('names the settings of the protocol that was chosen', async () => {
    const { warnings } = await startWith('anthropic', { listing: none(401, 'refused') });
    expect(warnings).toEqual([expect.stringContaining('check TOLLGATE_INIT_CHANNEL_CREDENTIAL')]);
  });
});

it.each<readonly [readonly object[], string]>([
  [[], 'none, and no channel is enabled'],
  [
    [{ ownerAccountId: null, type: 'openai', status: 'disabled' }],
    'none, and no channel is enabled',
  ],
  [[{ ownerAccountId: null, type: 'simulator', status: 'enabled' }], 'none, the simulator answers'],
  [
    [{ ownerAccountId: 'acc_1', type: 'openai', status: 'enabled' }],
    'none, and no channel is enabled',
  ],
  [
    [
      { ownerAccountId: null, type: 'simulator', status: 'enabled' },
      {
        ownerAccountId: null,
        type: 'openai',
        status: 'enabled',
        baseUrl: 'https://vendor.example/v1',
      },
    ],
    'openai, at vendor.example',
  ],
  [
    Array.from({ length: 3 }, () => ({ ownerAccountId: null, type: 'openai', status: 'enabled' })),
    '3 channels',
  ],
])('%j is told as: %s', async (channels, told) => {
  const listAll = () => Promise.resolve(channels as unknown as readonly Channel[]);
  expect(await describeVendors({ listAll })).toBe(told);
});

it('who answers is told with the reason why the named vendor does not', async () => {
  const simulator = { ownerAccountId: null, type: 'simulator', status: 'enabled' };
  const listAll = () => Promise.resolve([simulator] as unknown as readonly Channel[]);
  expect(await describeVendors({ listAll }, 'the vendor answered 401: check OPENAI_API_KEY')).toBe(
    'none, the simulator answers (the vendor answered 401: check OPENAI_API_KEY)',
  );
});
