import { parseConfig } from '@tollgate/config';
import { parseAmount } from '@tollgate/core';
import { routingConfigSchema } from './config';

const NEEDED = {
  MONGODB_URI: 'mongodb://127.0.0.1:1/test',
  TOLLGATE_SERVICE_SECRET: 'x'.repeat(32),
  TOLLGATE_SEALING_KEYS: `a:${Buffer.alloc(32).toString('base64')}`,
};

test('a model name of the first channel may hold colons', () => {
  const environment = { ...NEEDED, TOLLGATE_INIT_CHANNEL_MODELS: 'llama3:8b:0.10:0.2' };
  expect(parseConfig(routingConfigSchema, environment).initChannelModels).toEqual([
    {
      name: 'llama3:8b',
      promptPrice: parseAmount('0.10'),
      completionPrice: parseAmount('0.2'),
    },
  ]);
});

test("the common client's variables name the first channel when ours do not", () => {
  const given = { OPENAI_API_KEY: 'a vendor key', OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' };
  expect(parseConfig(routingConfigSchema, { ...NEEDED, ...given })).toMatchObject({
    initChannelCredential: { value: 'a vendor key', variable: 'OPENAI_API_KEY' },
    initChannelBaseUrl: { value: 'http://127.0.0.1:1/v1', variable: 'OPENAI_BASE_URL' },
  });
});
