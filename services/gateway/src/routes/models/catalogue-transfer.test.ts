import { AppError, invalid } from '@tollgate/core';
import type { identityV1, routingV1 } from '@tollgate/protos';
import { keyText, model } from '../../testing/fixtures';
import { type GatewayUnderTest, startGateway } from '../../testing/gateway-fixture';

const key = keyText(1);
let gateway: GatewayUnderTest;
let put: routingV1.PutModelRequest[];
let checked: routingV1.PutModelRequest[];

beforeAll(async () => {
  gateway = await startGateway();
  gateway.principals.set(key, { operator: true, scopes: ['admin'] });
  Object.assign(gateway.routing.handlers, {
    async putModel(request: routingV1.PutModelRequest) {
      if (request.validateOnly) {
        checked.push(request);
        if (request.model?.name === 'best') throw invalid('name', 'name must be no routing name.');
        return {};
      }
      // Another operator made it after the check.
      if (request.model?.name === 'taken') throw new AppError('CONFLICT');
      put.push(request);
      return { model: request.model };
    },
  });
});
afterAll(() => gateway.stop());
beforeEach(() => {
  put = [];
  checked = [];
  const routingName = model({ name: 'auto', routing: true, pricing: null });
  const other = model({ name: 'other', description: '=With "quotes", and commas' });
  gateway.routing.handlers.listModels = async () => ({ models: [routingName, model(), other] });
});

const importing = (body: object) => gateway.send('POST', '/v1/admin/models/import', { key, body });
const exported = async (format: string) =>
  gateway.send('GET', `/v1/admin/models/export?format=${format}`, { key });

test('a table that was exported is imported again and changes nothing', async () => {
  const { text: csv } = await exported('csv');
  const { json } = await importing({ csv, dry_run: false });
  expect(json.data).toMatchObject({ created: 0, updated: 0, unchanged: 2 });
  expect(put).toEqual([]);
});

test('a table keeps the price of cached writes and the kind of a model', async () => {
  const { pricing, ...rest } = model();
  const priced = { ...pricing, cacheWrite: '1250000000' };
  const vectors = { ...rest, pricing: priced, kind: 'MODEL_KIND_EMBEDDING' as const };
  gateway.routing.handlers.listModels = async () => ({ models: [vectors] });
  const { text } = await exported('csv');
  expect((await importing({ csv: text })).json.data).toMatchObject({ unchanged: 1 });
  const csv = text.replace('"A small model",8192', '"A small model",4096');
  await importing({ csv, dry_run: false });
  expect(put[0]?.model).toMatchObject({
    kind: 'MODEL_KIND_EMBEDDING',
    contextLength: 4096,
    pricing: { cacheWrite: '1250000000' },
  });
});

test.each(['models', 'csv'])(
  '%s without prices leave them to routing, or as they are',
  async (as) => {
    const present = model();
    const pricing = { ...present.pricing, source: 'default' };
    gateway.routing.handlers.listModels = async () => ({ models: [{ ...present, pricing }] });
    const bounds = { context_length: 4096, max_completion_tokens: 1024 };
    const models = [
      { name: 'small-chat', ...bounds },
      { name: 'new', ...bounds },
    ];
    const csv = `${HEADER}\nsmall-chat,4096,1024,,\nnew,4096,1024,,`;
    const body = as === 'csv' ? { csv } : { models };
    const { json } = await importing({ ...body, dry_run: false });
    expect(json.data).toMatchObject({ created: 1, updated: 1 });
    expect(put.map((each) => each.model?.pricing)).toMatchObject([
      { prompt: pricing.prompt, completion: pricing.completion, source: 'default' },
      null,
    ]);
  },
);

test('a vendor tells its models with their kinds, limits and list prices, where these are known', async () => {
  const pricing = { currency: 'USD', prompt: '2500000000', completion: '10000000000' };
  const listPrices = [{ model: 'gpt-4o', pricing: { ...pricing, cachedPrompt: '1250000000' } }];
  gateway.routing.handlers.discoverModels = async () => ({
    names: ['gpt-4o', 'small-chat', 'tts-1', 'auto'],
    httpStatus: 200,
    error: '',
    listPrices,
    models: [
      {
        name: 'gpt-4o',
        kind: 'MODEL_KIND_CHAT',
        contextLength: 128_000,
        maxCompletionTokens: 16_384,
      },
      { name: 'small-chat', kind: 'MODEL_KIND_CHAT' },
      { name: 'tts-1', kind: 'MODEL_KIND_UNSPECIFIED' },
      { name: 'auto', kind: 'MODEL_KIND_CHAT' },
    ],
  });
  const body = { type: 'openai', base_url: 'https://vendor.example/v1' };
  const path = '/v1/admin/channels/discover';
  const { json } = await gateway.send('POST', path, { key, body });
  expect(json.data).toMatchObject({
    models: [
      {
        name: 'gpt-4o',
        kind: 'chat',
        context_length: 128_000,
        max_completion_tokens: 16_384,
        in_catalogue: false,
        list_price: { prompt: '2.50', completion: '10.00', cached_prompt: '1.25' },
      },
      { name: 'small-chat', kind: 'chat', context_length: null, in_catalogue: true },
      { name: 'tts-1', kind: 'other', max_completion_tokens: null, in_catalogue: false },
      { name: 'auto', in_catalogue: false },
    ],
  });
});

test('a dry run says what would change and changes nothing; the import does it', async () => {
  const { text } = await exported('csv');
  const csv = `${text.replace('small-chat,"A small model",8192', 'small-chat,"A small model",4096')}new,,8192,1024,1,2,,tools\r\n`;
  const dry = await importing({ csv });
  expect(dry.json.data).toMatchObject({ dry_run: true, created: 1, updated: 1, unchanged: 1 });
  expect(put).toEqual([]);
  const wet = await importing({ csv, dry_run: false });
  expect(wet.json.data).toMatchObject({ dry_run: false, created: 1, updated: 1, unchanged: 1 });
  expect(put.map(({ create, model: made }) => [create, made?.name])).toEqual([
    [false, 'small-chat'],
    [true, 'new'],
  ]);
  expect(put[1]?.model?.pricing).toMatchObject({
    prompt: '1000000000',
    cachedPrompt: '1000000000',
  });
});

test.each([true, false])(
  'a model that routing refuses ends the import before its first change, dry %s',
  async (dry) => {
    const csv = `${HEADER}\nnew,8192,1024,1,2\nbest,8192,1024,1,2`;
    const { status, json } = await importing({ csv, dry_run: dry });
    expect([status, json.error?.param]).toEqual([400, 'csv']);
    expect(json.error?.message).toContain('best: name must be no routing name.');
    expect(checked.map(({ create, createdBefore }) => [create, createdBefore])).toEqual([
      [true, 0],
      [true, 1],
    ]);
    expect(put).toEqual([]);
  },
);

test('a refusal after the first change keeps the entry of the log and says what to do', async () => {
  const ended: identityV1.EndAuditEntryRequest__Output[] = [];
  gateway.identity.handlers.endAuditEntry = async (request) => {
    ended.push(request);
    return {};
  };
  const csv = `${HEADER}\nfirst,8192,1024,1,2\ntaken,8192,1024,1,2`;
  const { status, json } = await importing({ csv, dry_run: false });
  expect([status, json.error?.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
  expect(json.error?.message).toContain('1 of 2 changes is made, and taken was refused:');
  expect(json.error?.message).toMatch(/ Check the list again\.$/);
  expect(put.map((each) => each.model?.name)).toEqual(['first']);
  expect(ended).toMatchObject([{ nothingDone: false, errorCode: 'SERVICE_UNAVAILABLE' }]);
});

test('a refusal of the first change is told as it is', async () => {
  const csv = `${HEADER}\ntaken,8192,1024,1,2\nfirst,8192,1024,1,2`;
  const { status, json } = await importing({ csv, dry_run: false });
  expect([status, json.error?.code]).toEqual([409, 'CONFLICT']);
  expect(put).toEqual([]);
});

const HEADER = 'name,context_length,max_completion_tokens,prompt,completion';
test.each([
  [{}, 'models', 'not both'],
  [{ csv: 'name,colour\nx,red\n' }, 'csv', 'the first line names columns'],
  [{ csv: HEADER }, 'csv', '1 to 500 models'],
  [{ csv: `${HEADER}\na,8192,1024,1,2\na,8192,1024,1,2` }, 'csv', 'a stands there twice'],
  [{ csv: `${HEADER}\na,8192,1024,1,2\nb,many,1024,1,2` }, 'csv', 'line 3: context_length'],
  [{ csv: `${HEADER}\na,8192,1024,-1,2` }, 'csv', 'line 2: pricing.prompt'],
  [{ csv: `${HEADER}\na,8192,1024,2,50,50.00` }, 'csv', 'line 2: has more cells'],
  [{ csv: `${HEADER},prompt\na,8192,1024,1,2,3` }, 'csv', 'the column prompt stands there twice'],
  [{ csv: `${HEADER}\na,8192,1024,,2` }, 'csv', 'line 2: pricing.prompt'],
  [{ csv: `${HEADER}\na,0x10,1024,1,2` }, 'csv', 'line 2: context_length'],
  [{ csv: `${HEADER}\na,8192,1e3,1,2` }, 'csv', 'line 2: max_completion_tokens'],
])('%j is refused before anything is changed', async (body, param, message) => {
  const { status, json } = await importing({ ...body, dry_run: false });
  expect([status, json.error?.param]).toEqual([400, param]);
  expect(json.error?.message).toContain(message);
  expect(put).toEqual([]);
});
