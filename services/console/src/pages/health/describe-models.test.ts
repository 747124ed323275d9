import type { Channel } from '../../api/schemas';
import { describeModels, describeServing } from './describe-models';

const channel = (models: readonly string[], status: Channel['status'] = 'enabled') => ({
  status,
  health: { breaker: 'closed', models: [] as Channel['health']['models'] } as Channel['health'],
  models: models.map((name) => ({ name, upstream_name: name })),
  owner_account_id: null,
});
const describe = (told: Partial<Parameters<typeof describeModels>[0]>) =>
  describeModels({
    models: ['small', 'large'],
    channels: [channel(['small'])],
    hasMore: false,
    isOld: false,
    ...told,
  });

test('models are served each by a channel, or those are named that are not', () => {
  expect(describe({ models: ['small'] })).toEqual({
    tone: 'good',
    label: 'All 1 served',
    down: [],
  });
  expect(describe({})).toEqual({ tone: 'warn', label: '1 not served', down: ['large'] });
  const channels = [channel(['small']), channel(['large'], 'disabled')];
  expect(describe({ channels })).toMatchObject({ tone: 'bad', down: ['large'] });
});

test('a model is not said to have no channel while there are channels that were not loaded', () => {
  expect(describe({ hasMore: true })).toEqual({ tone: 'idle', label: 'Unknown', down: [] });
  expect(describe({ channels: undefined })).toMatchObject({ label: 'Unknown' });
});

test('that all models were served a while ago is nothing well', () => {
  expect(describe({ models: ['small'], isOld: true })).toMatchObject({ tone: 'idle' });
});

test('prices that are not set are counted however many channels there are', () => {
  const models = [{ price_source: 'default' }, { price_source: 'operator' }] as const;
  expect(describeServing(models, false)).toBe('Price not set: 1');
  const unloaded = 'Not all channels are loaded here; the alerts look at each';
  expect(describeServing(models, true)).toBe(`Price not set: 1. ${unloaded}`);
  expect(describeServing([], true)).toBe(unloaded);
  expect(describeServing([], false)).toBe('Each by a channel');
});
