import type { routingV1 } from '@tollgate/protos';
import { keyText, model } from '../../testing/fixtures';
import { type GatewayUnderTest, startGateway } from '../../testing/gateway-fixture';
import { ROUTES } from '../table';

const key = keyText(1);
let gateway: GatewayUnderTest;
let put: routingV1.PutModelRequest[] = [];

beforeAll(async () => {
  gateway = await startGateway();
  gateway.principals.set(key, { operator: true, scopes: ['admin'] });
  Object.assign(gateway.routing.handlers, {
    async putModel(request: routingV1.PutModelRequest) {
      put.push(request);
      return { model: request.model };
    },
  });
});
afterAll(() => gateway.stop());

/** The prices of a model whose prompt costs 1.00, after a change of them; nano-units. */
async function changed(present: object, pricing: object): Promise<unknown> {
  put = [];
  const { pricing: prices, ...rest } = model();
  const before = { ...prices, prompt: '1000000000', completion: '2000000000', ...present };
  gateway.routing.handlers.listModels = async () => ({
    // The prices are made of objects that only the titles of the cases describe.
    models: [{ ...rest, pricing: before }] as never,
  });
  const path = `/v1/admin/models/${rest.name}`;
  const { status } = await gateway.send('PATCH', path, { key, body: { pricing } });
  expect(status).toBe(200);
  return put[0]?.model?.pricing;
}

test('prices that are the price of the prompt go with it when it changes', async () => {
  const same = { cachedPrompt: '1000000000', cacheWrite: '1000000000' };
  const both = (prompt: string) => ({ prompt, cachedPrompt: prompt, cacheWrite: prompt });
  expect(await changed(same, { prompt: '0.50' })).toMatchObject(both('500000000'));
  expect(await changed(same, { prompt: '3.00' })).toMatchObject(both('3000000000'));
});

test('prices of their own stay, and so does what the change does not name', async () => {
  const own = { cachedPrompt: '100000000', cacheWrite: '1250000000' };
  expect(await changed(own, { prompt: '0.50' })).toMatchObject({ prompt: '500000000', ...own });
  expect(await changed(own, { completion: '4.00' })).toMatchObject({
    prompt: '1000000000',
    completion: '4000000000',
    ...own,
  });
  const given = { prompt: '3.00', cached_prompt: '1.00' };
  const same = { cachedPrompt: '1000000000', cacheWrite: '1000000000' };
  expect(await changed(same, given)).toMatchObject({
    prompt: '3000000000',
    cachedPrompt: '1000000000',
    cacheWrite: '3000000000',
  });
});

test('a price that nobody set is marked until an operator says one', async () => {
  const { pricing: prices, ...rest } = model();
  gateway.routing.handlers.listModels = async () => ({
    // Again prices that are spread.
    models: [{ ...rest, pricing: { ...prices, source: 'default' } }] as never,
  });
  const path = `/v1/admin/models/${rest.name}`;
  const read = await gateway.send('GET', path, { key });
  expect(read.json).toMatchObject({ data: { price_source: 'default' } });
  const patch = async (body: object) => {
    put = [];
    const answer = await gateway.send('PATCH', path, { key, body });
    return [put[0]?.model?.pricing?.source, answer.json.data?.price_source];
  };
  expect(await patch({ description: 'Fast.' })).toEqual(['default', 'default']);
  expect(await patch({ pricing: { prompt: '1.00' } })).toEqual(['', 'operator']);
});

const OF_MODEL = '/v1/admin/models/';
const paths = ROUTES.map(({ path }) => path).filter((path) => path.startsWith(OF_MODEL));
const taken = [...new Set(paths.map((path) => path.slice(OF_MODEL.length)))].filter(
  (name) => !name.includes('{'),
);

test.each(taken)('a model is not made as %s, whose path would be another', async (name) => {
  expect(taken.toSorted()).toEqual(['export', 'import']);
  put = [];
  gateway.routing.handlers.listModels = async () => ({ models: [model()] });
  const { text: csv } = await gateway.send('GET', `${OF_MODEL}export?format=csv`, { key });
  const bounds = { context_length: 4096, max_completion_tokens: 1024 };
  const body = { name, ...bounds, pricing: { prompt: '1', completion: '2' } };
  const made = await gateway.send('POST', '/v1/admin/models', { key, body });
  expect([made.status, made.json.error?.param]).toEqual([400, 'name']);
  const importing = (many: object) =>
    gateway.send('POST', `${OF_MODEL}import`, { key, body: { ...many, dry_run: false } });
  for (const many of [{ models: [body] }, { csv: csv.replace('small-chat', name) }]) {
    const { status, json } = await importing(many);
    expect([status, json.error?.param]).toEqual([400, Object.keys(many)[0]]);
    expect(json.error?.message).toContain(`${name}: `);
  }
  expect(put).toEqual([]);
  // One that was made before this was refused can be changed by an import, as before.
  gateway.routing.handlers.listModels = async () => ({ models: [model({ name })] });
  expect((await importing({ models: [body] })).json.data).toMatchObject({ updated: 1 });
});
