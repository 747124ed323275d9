import type { ChannelType } from '@tollgate/core';
import { nano, silentLogger } from '@tollgate/core';
import { createFakeClock } from '@tollgate/testkit';
import type { Channel } from '../domain/channel';
import { type FirstChannelOptions, prepareFirstChannel } from './first-channel';

const CREDENTIAL = 'a-credential-for-tests';
const MODELS = [{ name: 'small', promptPrice: nano(1n), completionPrice: nano(2n) }];

/** The channels that a first start makes, and every address that its credential goes to. */
async function startWith(
  channelType: ChannelType,
  { channelModels, simulatorBaseUrl }: { channelModels?: typeof MODELS; simulatorBaseUrl?: string },
) {
  const made: Channel[] = [];
  const asked: unknown[] = [];
  const options = {
    channels: {
      listAll: () => Promise.resolve([]),
      insert: (channel: Channel) => Promise.resolve(void made.push(channel)),
    },
    models: { insert: () => Promise.resolve(true) },
    changes: { announce: () => Promise.resolve() },
    probe: {
      checkAddress: () => Promise.resolve(),
      listModels: (...call: readonly unknown[]) => {
        asked.push(call);
        return Promise.resolve(['listed']);
      },
    },
    sealer: { seal: (text: string) => text, open: (text: string) => text },
    ...{ clock: createFakeClock(), logger: silentLogger },
  } as unknown as FirstChannelOptions;
  await prepareFirstChannel(options, {
    ...{ channelType, channelModels, simulatorBaseUrl },
    channelBaseUrl: undefined,
    channelCredential: CREDENTIAL,
    ...{ promptPrice: nano(1n), completionPrice: nano(2n) },
  });
  return { made, asked };
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

it('makes no channel for a simulator that has no address', async () => {
  expect(await startWith('simulator', { channelModels: MODELS })).toEqual({ made: [], asked: [] });
  const { made } = await startWith('simulator', {
    channelModels: MODELS,
    simulatorBaseUrl: 'http://simulator.example/v1',
  });
  expect(made.map(({ baseUrl }) => baseUrl)).toEqual(['http://simulator.example/v1']);
});
