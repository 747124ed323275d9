import { addMember, createKey, type OpenedAccount, openAccount } from '../support/accounts';
import { type Api, type ApiData, toNano } from '../support/api';
import { eventually } from '../support/eventually';
import { CHAT } from '../support/openapi/openapi-fixture';
import { type RunningTollgate, startTollgate } from '../topologies/start-tollgate';

jest.setTimeout(120_000);

type Items = readonly ApiData[];

let tollgate: RunningTollgate;
let account: OpenedAccount;
let owner: Api;
let busy: Awaited<ReturnType<typeof createKey>>;
let quiet: Awaited<ReturnType<typeof createKey>>;
/** Ids of what each key asked, oldest first. */
const asked = { busy: [] as string[], quiet: [] as string[] };

beforeAll(async () => {
  tollgate = await startTollgate({
    TOLLGATE_GATEWAY_MANAGEMENT_PER_MINUTE: '10000',
    TOLLGATE_GATEWAY_DENIAL_WINDOW_MS: '1000',
  });
  account = await openAccount(tollgate.api, { credit: '10.00' });
  owner = account.owner.api;
  busy = await createKey(owner, { name: 'busy' });
  quiet = await createKey(owner, { name: 'quiet' });
  for (let count = 0; count < 3; count += 1) asked.busy.push(await complete(busy.api));
  asked.quiet.push(await complete(quiet.api));
  await eventually(
    async () => itemsOf(await tollgate.api.get(`/v1/admin/requests?account_id=${account.id}`)),
    (items) => items.length === 4,
  );
});

afterAll(async () => {
  expect(await tollgate?.stop()).toBe(0);
});

/** One completion; answers its request id. */
async function complete(api: Api): Promise<string> {
  const answer = await api.request('POST', '/v1/chat/completions', { body: CHAT });
  expect(answer.status).toBe(200);
  return answer.headers.get('x-request-id') ?? '';
}

const itemsOf = ({ items }: ApiData) => items as Items;
const ofAccount = (what: string) => `/v1/admin/accounts/${account.id}/${what}`;
const pick = (items: Items, name: string) => items.map((item) => item[name]);

describe('an account, seen by an operator', () => {
  test('has the balance that its owner sees', async () => {
    const theirs = await owner.get('/v1/billing/balance');
    const ours = await tollgate.api.get(ofAccount('balance'));
    const { account_id, total_credits, total_usage, plan } = ours;
    expect({ account_id, total_credits, plan }).toEqual({
      account_id: account.id,
      total_credits: '10.00',
      plan: 'enterprise',
    });
    expect(toNano(total_usage)).toBeGreaterThan(0n);
    expect(theirs).toMatchObject({ account_id, total_credits, plan });
  });

  test('has keys with what they spent and when they were used, and no secret', async () => {
    const { keys, text } = await eventually(
      async () => {
        const shown = await tollgate.api.request('GET', ofAccount('keys'));
        return { keys: itemsOf(shown.body?.data ?? { items: [] }), text: shown.text };
      },
      (shown) => shown.keys.every(({ last_used_at }) => last_used_at !== null),
      70_000,
    );
    expect(pick(keys, 'id').sort()).toEqual([busy.id, quiet.id].sort());
    for (const { spend } of keys) expect(toNano(spend)).toBeGreaterThan(0n);
    for (const { secret } of [busy, quiet]) expect(text).not.toContain(secret.slice(-40));
  });

  test('has members', async () => {
    const { userId } = await addMember(owner, 'member');
    const members = itemsOf(await tollgate.api.get(ofAccount('members')));
    expect(pick(members, 'id')).toEqual([userId, account.owner.userId]);
  });

  test.each(['balance', 'ledger', 'keys', 'members'])(
    'is not there when it is not: %s',
    async (what) => {
      const path = `/v1/admin/accounts/acc_01J00000000000000000000009/${what}`;
      const answer = await tollgate.api.request('GET', path);
      expect([answer.status, answer.body?.error?.code]).toEqual([404, 'NOT_FOUND']);
    },
  );
});

describe('the ledger', () => {
  const seqs = async (api: Api, path: string) => pick(itemsOf(await api.get(path)), 'seq');

  test('is narrowed by kind, key, model and time, for its owner and for operators', async () => {
    for (const [api, path] of [
      [owner, '/v1/billing/ledger'],
      [tollgate.api, ofAccount('ledger')],
    ] as const) {
      expect(await seqs(api, path)).toEqual([5, 4, 3, 2, 1]);
      expect(await seqs(api, `${path}?kind=credit`)).toEqual([1]);
      expect(await seqs(api, `${path}?kind=charge&key_id=${quiet.id}`)).toHaveLength(1);
      expect(await seqs(api, `${path}?key_id=${busy.id}`)).toHaveLength(3);
      expect(await seqs(api, `${path}?model=sim-small`)).toHaveLength(4);
      expect(await seqs(api, `${path}?model=sim-large`)).toEqual([]);
      expect(await seqs(api, `${path}?end=2020-01-01T00:00:00Z`)).toEqual([]);
      expect(await seqs(api, `${path}?start=2020-01-01T00:00:00Z`)).toHaveLength(5);
    }
  });

  test('comes page by page to its first entry', async () => {
    const seen: unknown[] = [];
    let path = ofAccount('ledger?limit=2');
    for (let pages = 0; pages < 5; pages += 1) {
      const page = await tollgate.api.get(path);
      seen.push(...pick(itemsOf(page), 'seq'));
      if (page.has_more !== true) break;
      path = ofAccount(`ledger?limit=2&cursor=${String(page.next_cursor)}`);
    }
    expect(seen).toEqual([5, 4, 3, 2, 1]);
  });
});

describe('requests', () => {
  const newestFirst = (...ids: string[]) => [...ids].sort().reverse();

  test('are listed newest first, with filters, for the account that made them', async () => {
    const ids = async (query: string) =>
      pick(itemsOf(await owner.get(`/v1/requests${query}`)), 'id');
    expect(await ids('')).toEqual(newestFirst(...asked.busy, ...asked.quiet));
    expect(await ids(`?key_id=${busy.id}`)).toEqual(newestFirst(...asked.busy));
    expect(await ids('?status=failed')).toEqual([]);
    expect(await ids('?error_code=UPSTREAM_ERROR')).toEqual([]);
    expect(await ids('?model=sim-small&limit=200')).toHaveLength(4);
    expect(await ids('?end=2020-01-01T00:00:00Z')).toEqual([]);
  });

  test('of every account are listed for operators, with their channel', async () => {
    const other = await createKey(tollgate.api);
    const id = await complete(other.api);
    const all = await eventually(
      async () => itemsOf(await tollgate.api.get('/v1/admin/requests')),
      (items) => items.some((item) => item.id === id),
    );
    expect(pick(all, 'id')).toEqual(newestFirst(id, ...asked.busy, ...asked.quiet));
    for (const { channel_id } of all) expect(channel_id).toMatch(/^chn_/);
    const one = itemsOf(await tollgate.api.get(`/v1/admin/requests?account_id=${account.id}`));
    expect(pick(one, 'id')).toEqual(newestFirst(...asked.busy, ...asked.quiet));
  });

  test('have a story whose amounts agree with the ledger and the receipt', async () => {
    const [id = ''] = asked.quiet;
    const story = await owner.get(`/v1/requests/${id}`);
    const receipt = await owner.get(`/v1/billing/receipts/${id}`);
    expect(story).toMatchObject({
      id,
      status: 'succeeded',
      key_id: quiet.id,
      user_id: account.owner.userId,
      model: 'sim-small',
      charge: receipt.settle,
      prompt_tokens: receipt.prompt_tokens,
      reservation: {
        reserved: receipt.reserve,
        charged: receipt.settle,
        released: receipt.release,
      },
      ledger: { seq: receipt.seq, posted_at: receipt.settled_at, absorbed: '0.00' },
    });
    const events = story.events as Items;
    const times = pick(events, 'at').map(String);
    expect(pick(events, 'type')).toEqual(expect.arrayContaining(['started', 'ended', 'posted']));
    expect([...times].sort()).toEqual(times);
    expect(story).not.toHaveProperty('channel_id');
    const full = await tollgate.api.get(`/v1/admin/requests/${id}`);
    expect(story).not.toHaveProperty('failed_attempts');
    expect(full).toMatchObject({ ...story, account_id: account.id, failed_attempts: [] });
    expect(full.deliveries).toEqual([]);
    expect(full.channel_id).toMatch(/^chn_/);
  });

  test('that had a member which nobody knows say so, to their account and to operators', async () => {
    const { owner: other } = await openAccount(tollgate.api, { credit: '1.00' });
    const key = await createKey(other.api);
    const answer = await key.api.request('POST', '/v1/chat/completions', {
      body: { ...CHAT, max_token: 3 },
    });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('x-tollgate-ignored')).toBe('max_token');
    const id = answer.headers.get('x-request-id') ?? '';
    const ignored_members = [{ name: 'max_token', did_you_mean: 'max_tokens' }];
    for (const [api, path] of [
      [other.api, `/v1/requests/${id}`],
      [tollgate.api, `/v1/admin/requests/${id}`],
    ] as const) {
      const told = await eventually(
        async () => (await api.request('GET', path)).body?.data,
        (story) => story?.status === 'succeeded',
      );
      expect(told).toMatchObject({ ignored_members });
    }
  });

  const refusedId = async (secret: string) => {
    const headers = { authorization: `Bearer ${secret}` };
    const answer = await owner.request('POST', '/v1/chat/completions', { body: CHAT, headers });
    expect(answer.status).toBe(401);
    return answer.headers.get('x-request-id') ?? '';
  };
  const storyOf = (id: string) =>
    eventually(
      async () => (await tollgate.api.request('GET', `/v1/admin/requests/${id}`)).body?.data,
      (told) => told?.status === 'refused',
    );

  test('that were refused with 401 say which key it was, or that it is nobody', async () => {
    const key = await createKey(owner, { name: 'revoked soon' });
    await owner.request('DELETE', `/v1/keys/${key.id}`);
    const [revoked, foreign] = [
      await refusedId(key.secret),
      await refusedId('sk-of-somebody-else'),
    ];
    expect(await storyOf(revoked)).toMatchObject({
      account_id: account.id,
      key_id: key.id,
      error_code: 'UNAUTHORIZED',
      bearer: { fault: 'revoked' },
      now: { account: { id: account.id }, unknown: [{ about: 'key', reason: 'It was revoked.' }] },
    });
    expect(await storyOf(foreign)).toMatchObject({
      account_id: null,
      key_id: null,
      now: null,
      deliveries: [],
      bearer: { fault: 'unknown', presented: 'sk-…' },
    });
  });

  test('of a key that was rotated, or went with its person, say who did that and when', async () => {
    const key = await createKey(owner, { name: 'rotated soon' });
    await owner.post(`/v1/keys/${key.id}/rotate`, { grace_period_seconds: 0 });
    const member = await addMember(owner, 'admin');
    const theirs = await createKey(member.api, { name: 'of one who leaves' });
    await owner.request('DELETE', `/v1/account/members/${member.userId}`);
    const left = { type: 'user', id: member.userId, name: member.email, change: 'removed' };
    for (const [secret, off] of [
      [key.secret, { type: 'key', name: 'rotated soon', change: 'rotated' }],
      [theirs.secret, left],
    ] as const) {
      const by = account.owner.email;
      const now = { switched_off: [{ ...off, by }] };
      expect(await storyOf(await refusedId(secret))).toMatchObject({ now });
    }
  });

  test('of others are not there, and neither is one that nobody made', async () => {
    const [id = ''] = asked.busy;
    const stranger = await openAccount(tollgate.api);
    for (const api of [stranger.owner.api, owner]) {
      const path = `/v1/requests/${api === owner ? 'req_none' : id}`;
      const answer = await api.request('GET', path);
      expect([answer.status, answer.body?.error?.code]).toEqual([404, 'NOT_FOUND']);
    }
  });
});

const entriesOf = async (query: string) =>
  itemsOf(await tollgate.api.get(`/v1/admin/audit-log?${query}`));

describe('the audit log', () => {
  test('has every write, who made it, from where, and what it changed', async () => {
    const { id } = await createKey(owner, { name: 'watched' });
    const path = `/v1/keys/${id}`;
    const named = await owner.request('PATCH', path, { body: { name: 'renamed' } });
    await tollgate.api.request('PATCH', `/v1/admin/accounts/${account.id}`, {
      body: { name: 'X' },
    });
    await owner.request('DELETE', path);
    const entries = await entriesOf(`resource_id=${id}`);
    expect(pick(entries, 'operation')).toEqual([
      'DELETE /v1/keys/{id}',
      'PATCH /v1/keys/{id}',
      'POST /v1/keys',
    ]);
    for (const entry of entries) {
      expect(entry).toMatchObject({
        account_id: account.id,
        address: '127.0.0.1',
        outcome: 'succeeded',
        error_code: null,
        actor: { kind: 'user', account_id: account.id, user_id: account.owner.userId },
        resource: { type: 'keys', id },
      });
    }
    expect(entries[1]?.request_id).toBe(named.headers.get('x-request-id'));
    const whole = await tollgate.api.get(`/v1/admin/audit-log/${String(entries[1]?.id)}`);
    expect(whole).toMatchObject({
      request: { name: 'renamed' },
      before: { name: 'watched' },
      after: { name: 'renamed' },
    });
    const [byOperator] = await entriesOf(`account_id=${account.id}&limit=2`);
    const [newest] = await entriesOf(`resource_id=${account.id}&limit=1`);
    expect(byOperator?.operation).toBe('DELETE /v1/keys/{id}');
    expect(newest).toMatchObject({
      operation: 'PATCH /v1/admin/accounts/{id}',
      account_id: account.id,
      actor: { kind: 'api_key', operator: true },
    });
  });

  test('has no secret of a key, a person or a channel, and says where one was', async () => {
    const password = 'a-password-that-nobody-sees';
    const { secret, id } = await createKey(owner);
    const rotated = await owner.post(`/v1/keys/${id}/rotate`, {});
    await owner.post('/v1/account/members', { email: 'seen@accounts.test', password });
    const listed = await entriesOf(`account_id=${account.id}&limit=3`);
    const texts = await Promise.all(
      listed.map(async (entry) => {
        const path = `/v1/admin/audit-log/${String(entry.id)}`;
        return (await tollgate.api.request('GET', path)).text;
      }),
    );
    const all = texts.join();
    for (const hidden of [secret, String(rotated.key), password]) expect(all).not.toContain(hidden);
    expect(all.match(/\[secret\]/g)?.length).toBeGreaterThanOrEqual(3);
  });

  test('has nothing of a write that was refused or repeated', async () => {
    const before = await entriesOf(`account_id=${account.id}&limit=200`);
    const stranger = await openAccount(tollgate.api);
    const foreign = await stranger.owner.api.request('DELETE', `/v1/keys/${busy.id}`);
    const wrong = await owner.request('POST', '/v1/keys', { body: { name: 'x', max_budget: '0' } });
    expect([foreign.status, wrong.status]).toEqual([404, 400]);
    const headers = { 'idempotency-key': 'audited-once' };
    await owner.post('/v1/keys', { name: 'once' }, headers);
    await owner.post('/v1/keys', { name: 'once' }, headers);
    const after = await entriesOf(`account_id=${account.id}&limit=200`);
    expect(after.length - before.length).toBe(1);
    expect(
      await entriesOf(`account_id=${stranger.id}&operation=DELETE%20/v1/keys/%7Bid%7D`),
    ).toEqual([]);
  });
});

describe('PATCH keeps what is left out, PUT does not', () => {
  test('of an API key', async () => {
    const { id } = await createKey(owner, { models: ['sim-small'], requests_per_minute: 9 });
    const path = `/v1/keys/${id}`;
    const patched = await owner.request('PATCH', path, { body: { name: 'one' } });
    expect(patched.body?.data).toMatchObject({ models: ['sim-small'], requests_per_minute: 9 });
    expect(await owner.put(path, { name: 'two', requests_per_day: 5 })).toMatchObject({
      name: 'two',
      models: [],
      requests_per_minute: null,
      requests_per_day: 5,
      status: 'active',
      id,
    });
    const bound = await createKey(owner, { models: ['sim-small'] });
    const widened = await bound.api.request('PUT', `/v1/keys/${bound.id}`, { body: { name: 'x' } });
    expect([widened.status, widened.body?.error?.code]).toEqual([403, 'FORBIDDEN']);
  });

  test('of a model in the catalogue', async () => {
    const path = '/v1/admin/models/patched-model';
    await tollgate.api.post('/v1/admin/models', {
      name: 'patched-model',
      description: 'before',
      context_length: 8192,
      max_completion_tokens: 1024,
      capabilities: ['tools'],
      pricing: { prompt: '1.00', completion: '2.00', cached_prompt: '0.50' },
    });
    const patched = await tollgate.api.request('PATCH', path, {
      body: { pricing: { completion: '3.00' } },
    });
    expect(patched.body?.data).toMatchObject({
      description: 'before',
      context_length: 8192,
      capabilities: ['tools'],
      pricing: { prompt: '1.00', completion: '3.00', cached_prompt: '0.50' },
    });
    expect(await tollgate.api.get(path)).toEqual(patched.body?.data);
    const body = { description: 'x' };
    const missing = await tollgate.api.request('PATCH', `${path}-not`, { body });
    expect([missing.status, missing.body?.error?.code]).toEqual([404, 'NOT_FOUND']);
  });

  test('of an account, where everything has to be said', async () => {
    const path = `/v1/admin/accounts/${account.id}`;
    const body = { name: 'Whole', status: 'active', overrides: { groups: ['gold'] } };
    expect(await tollgate.api.put(path, body)).toMatchObject(body);
    const { status: _, ...partial } = body;
    const refused = await tollgate.api.request('PUT', path, { body: partial });
    expect([refused.status, refused.body?.error?.param]).toEqual([400, 'status']);
  });
});

// Last, because the product has another port afterwards.
test('an entry of the audit log is there after a kill', async () => {
  const { id } = await createKey(owner, { name: 'survives' });
  await tollgate.killAndRestart();
  const entries = await entriesOf(`resource_id=${id}`);
  expect(pick(entries, 'outcome')).toEqual(['succeeded']);
});
