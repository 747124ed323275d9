import { type AccountId, AppError, silentLogger } from '@tollgate/core';
import { createIdempotencyStore } from '@tollgate/mongo';
import { createModelStore } from '../storage/model-store';
import { modelNamed } from '../testing/fixtures';
import { channelNamed, type HealthFixture, startHealthFixture } from '../testing/health-fixture';
import { createChannelOperations } from './channels';
import { createModelOperations } from './models';

const ACCOUNT = 'acc_1' as AccountId;

let fixture: HealthFixture;

beforeEach(async () => {
  fixture = await startHealthFixture();
});

afterEach(() => fixture.close());

/** The operations, whose route log refuses the first entry. */
function operations() {
  const { channels, mongo, clock, announced } = fixture;
  let fails = true;
  const routeLog = {
    async append(...changes: readonly string[]) {
      if (!fails) announced.push(...changes);
      else {
        fails = false;
        throw new AppError('DATABASE_ERROR');
      }
    },
  };
  const models = createModelStore(mongo, silentLogger);
  const options = {
    channels,
    models,
    routeLog,
    clock,
    logger: silentLogger,
    idempotencyClaims: createIdempotencyStore(mongo, { collection: 'claims' }),
  };
  const never = async () => {
    throw new Error('no vendor is asked');
  };
  const sealer = { seal: (text: string) => text, open: (text: string) => text };
  const probe = { check: never, discoverModels: never, checkAddress: never };
  return {
    models,
    ofModels: createModelOperations({ ...options, modelsMax: 1 }),
    ofChannels: createChannelOperations({ ...options, probe, sealer, channelsMax: 1 }),
  };
}

test('a removal that could not be announced is announced when it is repeated', async () => {
  await fixture.channels.insert(channelNamed('gone'));
  const { ofChannels } = operations();
  await expect(ofChannels.remove('gone')).rejects.toMatchObject({ code: 'DATABASE_ERROR' });
  await expect(ofChannels.remove('gone')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(fixture.announced).toEqual(['channel:gone']);
});

test('so is that of a model', async () => {
  const { models, ofModels } = operations();
  await models.insert(modelNamed('small'));
  await expect(ofModels.remove('small')).rejects.toMatchObject({ code: 'DATABASE_ERROR' });
  await expect(ofModels.remove('small')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(fixture.announced).toEqual(['model:small']);
});

test('so is that of the channels of an account', async () => {
  await fixture.channels.insert(channelNamed('theirs', { ownerAccountId: ACCOUNT }));
  const { ofChannels } = operations();
  const remove = () => ofChannels.removeOwnedBy(ACCOUNT);
  await expect(remove()).rejects.toMatchObject({ code: 'DATABASE_ERROR' });
  await remove();
  expect(fixture.announced).toEqual([`channels-of:${ACCOUNT}`]);
});
