import type { ChannelType } from '@tollgate/core';
import { AppError, nano } from '@tollgate/core';
import { createFakeClock, createRecordingLogger } from '@tollgate/testkit';
import type { Channel } from '../domain/channel';
import type { Model } from '../domain/model';
import type { ModelListing } from '../domain/ports';
import { describeVendors, type FirstChannelOptions, prepareFirstChannel } from './first-channel';
import { firstVendorsIn, type VendorEnvironment } from './first-vendors';

const CREDENTIAL = 'a-credential-for-tests';
const GIVEN = { value: CREDENTIAL, variable: 'OPENAI_API_KEY' };
const OF_ANTHROPIC = { value: 'of-anthropic', variable: 'ANTHROPIC_API_KEY' };
const MODELS = [{ name: 'small', promptPrice: nano(1n), completionPrice: nano(2n) }];

interface StartOptions {
  readonly channelModels?: typeof MODELS;
  readonly simulatorBaseUrl?: string;
  readonly channelBaseUrl?: string;
  readonly listing?: ModelListing;
  readonly refused?: AppError;
  /** Channels that are there before the start. */
  readonly present?: readonly Channel[];
  /** Default: a credential is sealed as it is. */
  readonly open?: FirstChannelOptions['sealer']['open'];
  /** Further variables; an empty object names no vendor. */
  readonly environment?: Partial<VendorEnvironment>;
}

const NO_VENDOR: VendorEnvironment = {
  initChannelType: 'openai',
  initChannelBaseUrl: undefined,
  initChannelCredential: undefined,
  initChannelModels: undefined,
  anthropicBaseUrl: undefined,
  anthropicApiKey: undefined,
  geminiBaseUrl: undefined,
  geminiApiKey: undefined,
  simulatorBaseUrl: undefined,
};

function listingOf(...names: readonly string[]): ModelListing {
  return { models: names.map((name) => ({ name })), httpStatus: 200, error: '' };
}

/** Channels of which only what is told stands here. */
const listing = (channels: readonly object[]) => async () => channels as readonly Channel[];

/** The channels that a first start makes, and every address that its credential goes to. */
async function startWith(
  channelType: ChannelType,
  { channelModels, simulatorBaseUrl, channelBaseUrl, ...vendor }: StartOptions,
) {
  const made: Channel[] = [];
  const models: Model[] = [];
  const asked: unknown[] = [];
  const logger = createRecordingLogger();
  // A first start asks nothing else of its ports.
  const options = {
    channels: {
      listAll: () => Promise.resolve(vendor.present ?? []),
      insert: (channel: Channel) => Promise.resolve(void made.push(channel)),
    },
    models: { insert: (model: Model) => Promise.resolve(models.push(model) > 0) },
    routeLog: { append: () => Promise.resolve() },
    probe: {
      checkAddress: () =>
        vendor.refused === undefined ? Promise.resolve() : Promise.reject(vendor.refused),
      discoverModels: (...call: readonly unknown[]) => {
        asked.push(call);
        return Promise.resolve(vendor.listing ?? listingOf('listed', 'gpt-4o'));
      },
    },
    alone: <T>(work: () => Promise<T>) => work(),
    sealer: { seal: (text: string) => text, open: vendor.open ?? ((text: string) => text) },
    clock: createFakeClock(),
    logger,
  } as unknown as FirstChannelOptions;
  const described = {
    initChannelType: channelType,
    initChannelBaseUrl:
      channelBaseUrl === undefined
        ? undefined
        : { value: channelBaseUrl, variable: 'OPENAI_BASE_URL' },
    initChannelCredential: GIVEN,
    initChannelModels: channelModels,
  };
  const environment = vendor.environment ?? described;
  const fault = await prepareFirstChannel(options, {
    vendors: firstVendorsIn({ ...NO_VENDOR, ...environment, simulatorBaseUrl }),
    simulatorBaseUrl,
    defaultPrice: { promptPrice: nano(1n), completionPrice: nano(2n), currency: 'USD' },
  });
  const warnings = logger.lines.filter(({ level }) => level === 'warn');
  return { made, asked, models, fault, warnings: warnings.map(({ message }) => message) };
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
    ['gpt-4o', nano(2_500_000_000n), 'list'],
    ['listed', nano(1n), 'default'],
  ]);
});

it('lets through what its protocol can say, and knows what makes vectors by its name', async () => {
  const listing = listingOf('text-embedding-3-small', 'small');
  const { made, models } = await startWith('openai', { listing });
  expect(made[0]?.capabilities).toEqual(expect.arrayContaining(['tools', 'response_format', 'n']));
  expect(models.map(({ name, kind }) => [name, kind])).toEqual([
    ['text-embedding-3-small', 'embedding'],
    ['small', 'chat'],
  ]);
  const anthropic = await startWith('anthropic', { channelModels: MODELS });
  expect(anthropic.made[0]?.capabilities).not.toContain('n');
});

it('takes limits from the vendor, else as published, and a longest answer that nobody told as the context', async () => {
  const listing = {
    httpStatus: 200,
    error: '',
    models: [
      { name: 'gpt-4.1' },
      { name: 'gpt-4' },
      { name: 'told', contextLength: 32_768, maxCompletionTokens: 8192 },
      { name: 'half-told', contextLength: 32_768 },
      { name: 'of-nobody' },
    ],
  };
  const { models } = await startWith('openai', { listing });
  expect(
    models.map(({ name, contextLength, maxCompletionTokens }) => [
      name,
      contextLength,
      maxCompletionTokens,
    ]),
  ).toEqual([
    ['gpt-4.1', 1_047_576, 32_768],
    ['gpt-4', 8192, 8192],
    ['told', 32_768, 8192],
    ['half-told', 32_768, 32_768],
    ['of-nobody', 128_000, 128_000],
  ]);
  const descriptions = models.map(({ description }) => description);
  expect(descriptions.slice(0, 4)).toEqual(['', '', '', '']);
  expect(descriptions[4]).toContain('Nobody told its limits: up to 128,000 tokens of');
});

it('imports what can be asked for text or vectors, and offers the general and newer ones first', async () => {
  const others =
    'sora-2 tts-1 whisper-1 dall-e-3 gpt-image-1 babbage-002 gpt-4o-audio-preview gpt-realtime ' +
    'gpt-4o-transcribe omni-moderation-latest o1-pro';
  const texts = ['gpt-4', 'of-nobody', 'gpt-3.5-turbo', 'gpt-5', 'text-embedding-3-small'];
  const listing = listingOf(...others.split(' '), ...texts);
  const { made } = await startWith('openai', { listing });
  expect(made[0]?.models.map(({ name }) => name)).toEqual([
    'gpt-5',
    'gpt-3.5-turbo',
    'gpt-4',
    'text-embedding-3-small',
    'of-nobody',
  ]);
});

it('asks the newest of dated names by the name of the family, unless that is listed itself', async () => {
  const listing = listingOf(
    'claude-haiku-4-5-20251001',
    'claude-haiku-4-5-20260101',
    'claude-opus-4-6',
    'claude-opus-4-6-20260205',
    'gpt-4-0613',
  );
  const { made } = await startWith('anthropic', { listing });
  expect(made[0]?.models).toEqual([
    { name: 'claude-opus-4-6', upstreamName: 'claude-opus-4-6' },
    { name: 'claude-haiku-4-5', upstreamName: 'claude-haiku-4-5-20260101' },
  ]);
});

describe('the variables of vendors make a channel each', () => {
  it('of all that are named, at the vendors themselves', async () => {
    const environment = {
      initChannelCredential: GIVEN,
      anthropicApiKey: OF_ANTHROPIC,
      geminiApiKey: { value: 'of-gemini', variable: 'GEMINI_API_KEY' },
    };
    const { made, asked, fault } = await startWith('openai', { environment });
    expect(made.map(({ name, type, baseUrl }) => [name, type, baseUrl])).toEqual([
      ['first channel', 'openai', 'https://api.openai.com/v1'],
      ['anthropic', 'anthropic', 'https://api.anthropic.com/v1'],
      ['gemini', 'gemini', 'https://generativelanguage.googleapis.com/v1beta'],
    ]);
    expect(asked).toEqual([
      ['openai', 'https://api.openai.com/v1', CREDENTIAL],
      ['anthropic', 'https://api.anthropic.com/v1', 'of-anthropic'],
      ['gemini', 'https://generativelanguage.googleapis.com/v1beta', 'of-gemini'],
    ]);
    expect(fault).toBeUndefined();
  });

  it.each([
    ['http://127.0.0.1:9', 'http://127.0.0.1:9/v1'],
    ['http://127.0.0.1:9/', 'http://127.0.0.1:9/v1'],
    ['https://proxy.example/anthropic/v1', 'https://proxy.example/anthropic/v1'],
  ])('at %s, as the libraries of the vendor write it', async (anthropicBaseUrl, baseUrl) => {
    const environment = { anthropicApiKey: OF_ANTHROPIC, anthropicBaseUrl };
    const { made } = await startWith('openai', { environment });
    expect(made.map((channel) => channel.baseUrl)).toEqual([baseUrl]);
  });

  it('once, when two describe the same vendor', async () => {
    const environment = {
      initChannelType: 'anthropic',
      initChannelCredential: GIVEN,
      anthropicApiKey: OF_ANTHROPIC,
    } as const;
    const { made, asked } = await startWith('anthropic', { environment });
    expect(made).toHaveLength(1);
    expect(asked).toEqual([['anthropic', 'https://api.anthropic.com/v1', CREDENTIAL]]);
  });

  it('of each protocol that one address speaks', async () => {
    const environment = {
      initChannelCredential: GIVEN,
      initChannelBaseUrl: { value: 'https://proxy.example/v1', variable: 'OPENAI_BASE_URL' },
      anthropicApiKey: OF_ANTHROPIC,
      anthropicBaseUrl: 'https://proxy.example',
    };
    const { made } = await startWith('openai', { environment });
    expect(made.map(({ type }) => type)).toEqual(['openai', 'anthropic']);
  });

  it('and a fault names the variable that is to be checked', async () => {
    const listing = { models: [], httpStatus: 401, error: 'refused' };
    const environment = {
      anthropicApiKey: { ...OF_ANTHROPIC, variable: 'ANTHROPIC_API_KEY_FILE' },
      geminiApiKey: { value: 'of-gemini', variable: 'GEMINI_API_KEY' },
    };
    const { fault } = await startWith('openai', { environment, listing });
    expect(fault).toBe(
      'the vendor answered 401: check ANTHROPIC_API_KEY_FILE; the vendor answered 401: check GEMINI_API_KEY',
    );
  });
});

it('the simulator answers a first start whose vendors cannot be asked, until one can', async () => {
  const listing = { models: [], httpStatus: 401, error: 'refused' };
  const { made, fault } = await startWith('openai', {
    listing,
    simulatorBaseUrl: 'http://simulator.example/v1',
  });
  expect(made).toMatchObject([{ type: 'simulator', followsSimulator: true }]);
  expect(fault).toBe('the vendor answered 401: check OPENAI_API_KEY');
});

it('makes no channel for a simulator that has no address', async () => {
  expect(await startWith('simulator', { channelModels: MODELS })).toMatchObject({
    made: [],
    asked: [],
    models: [],
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
    models: [],
    httpStatus,
    error,
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

  it('an address without its version is told what it lacks', async () => {
    const listing = none(404, 'none');
    const channelBaseUrl = 'http://127.0.0.1:9';
    const { warnings } = await startWith('openai', { channelBaseUrl, listing });
    const sentence = 'check OPENAI_BASE_URL (it usually ends in /v1), or set ';
    expect(warnings).toEqual([expect.stringContaining(sentence)]);
  });

  it.each([[undefined], [MODELS]])('a private address, with the models %p', async (named) => {
    const publicMessage = 'Not usable; TOLLGATE_EGRESS_ALLOWED_HOSTS allows private ones.';
    const refused = new AppError('VALIDATION_ERROR', { param: 'base_url', publicMessage });
    const options = { channelBaseUrl: local, refused };
    const { made, asked, warnings } = await startWith('openai', {
      ...options,
      ...(named === undefined ? {} : { channelModels: named }),
    });
    expect([made, asked]).toEqual([[], []]);
    expect(warnings).toEqual([
      expect.stringContaining(
        '127.0.0.1 is not public: a private host is allowed by TOLLGATE_EGRESS_ALLOWED_HOSTS=127.0.0.1',
      ),
    ]);
  });

  it('an address that is refused for another cause is told that cause', async () => {
    const publicMessage = 'vendor.test does not resolve: look at its spelling.';
    const refused = new AppError('VALIDATION_ERROR', { param: 'base_url', publicMessage });
    const channelBaseUrl = 'http://vendor.test/v1';
    const { warnings } = await startWith('openai', { channelBaseUrl, refused });
    expect(warnings).toEqual([`no first channel: ${publicMessage}`]);
  });

  const address = { value: local, variable: 'TOLLGATE_INIT_CHANNEL_BASE_URL' };
  const ours = { value: CREDENTIAL, variable: 'TOLLGATE_INIT_CHANNEL_CREDENTIAL' };
  const google = { value: CREDENTIAL, variable: 'GOOGLE_API_KEY' };

  it.each<[string, Partial<VendorEnvironment>, number | null]>([
    ['check TOLLGATE_INIT_CHANNEL_BASE_URL, or', { initChannelBaseUrl: address }, 404],
    ['check TOLLGATE_INIT_CHANNEL_CREDENTIAL', { initChannelCredential: ours }, 401],
    ['check OPENAI_BASE_URL, or', { initChannelCredential: GIVEN }, null],
    ['check OPENAI_API_KEY', { initChannelType: 'gemini', initChannelCredential: GIVEN }, 401],
    [
      'check TOLLGATE_INIT_CHANNEL_BASE_URL, or',
      { initChannelType: 'gemini', initChannelCredential: ours },
      null,
    ],
    ['check GOOGLE_API_KEY', { geminiApiKey: google }, 401],
  ])('the setting by the name that it was given: %s', async (sentence, environment, status) => {
    const listing = none(status, 'none');
    const { warnings } = await startWith('openai', { environment, listing });
    expect(warnings).toEqual([expect.stringContaining(sentence)]);
  });
});

it('a start goes on beside a channel whose credential can no longer be opened', async () => {
  const { made } = await startWith('openai', { channelModels: MODELS });
  const open = () => {
    throw new Error('the sealing key of this record is not configured');
  };
  const again = await startWith('openai', { channelModels: MODELS, present: made, open });
  expect(again.made).toEqual([]);
  expect(again.warnings).toEqual([
    expect.stringContaining('the vendor credential of the environment is not the one of'),
  ]);
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
  const listAll = listing(channels);
  expect(await describeVendors({ listAll })).toBe(told);
});

it('who answers is told with the reason why the named vendor does not', async () => {
  const simulator = { ownerAccountId: null, type: 'simulator', status: 'enabled' };
  const listAll = listing([simulator]);
  expect(await describeVendors({ listAll }, 'the vendor answered 401: check OPENAI_API_KEY')).toBe(
    'none, the simulator answers (the vendor answered 401: check OPENAI_API_KEY)',
  );
});
