import { type AppError, nano } from '@tollgate/core';
import fc from 'fast-check';
import type { Candidate, RouteChannel, RouteModel } from './candidate';
import { chooseRoute } from './choose';
import type { CandidateHealth } from './health';
import type { RouteQuery } from './route-query';
import { parseModelName } from './route-query';
import { createRouteTable } from './route-table';

function model(name: string, completionPrice = 10n, completionTokensMax = 1000): RouteModel {
  const price = nano(completionPrice * 1_000_000n);
  const prices = { prompt: price, completion: price, cachedPrompt: price };
  return {
    name,
    kind: 'chat',
    completionTokensMax,
    contextTokensMax: 8000,
    vendorTokensMax: 8000,
    prices,
    priceVersion: 1,
  };
}

function channel(id: string, models: string[], changes: Partial<RouteChannel> = {}): RouteChannel {
  return {
    id,
    name: id,
    type: 'openai',
    baseUrl: 'https://vendor.example/v1',
    credential: '',
    models: models.map((name) => ({ name, upstreamName: `up-${name}`, healthy: true })),
    groups: [],
    ownerAccountId: null,
    priority: 0,
    weight: 1,
    concurrencyMax: 0,
    timeouts: { connectMs: 0, headMs: 0, wholeHeadMs: 0, firstTokenMs: 0, idleMs: 0, totalMs: 0 },
    capabilities: [],
    firstTokenMs: null,
    ...changes,
  };
}

const WORKING: CandidateHealth = { obstacle: undefined, firstTokenMs: undefined };

function choose(
  name: string,
  channels: readonly RouteChannel[],
  { countMax = Infinity, ...changes }: Partial<RouteQuery> & { readonly countMax?: number } = {},
  healths: Readonly<Record<string, CandidateHealth>> = {},
  models: readonly RouteModel[] = [model('small', 1n), model('large', 10n, 4000)],
): readonly string[] {
  const query: RouteQuery = {
    accountId: 'acc_1',
    operator: false,
    name: parseModelName(name),
    kind: 'chat',
    models: [],
    accountModels: [],
    discount: 0,
    keyGroups: [],
    grantedGroups: [],
    capabilities: [],
    capabilityParam: '',
    inexpressible: () => undefined,
    maxTokens: undefined,
    promptUsual: 50,
    promptToReserve: 100,
    promptTokensMax: 200,
    mediaTokensMax: 0,
    promptExceeds: () => false,
    choices: 1,
    costMax: undefined,
    leastCostMax: () => nano(0n),
    tieBreaker: 7,
    conversationHash: undefined,
    monotonicNowMs: 0,
    ...changes,
  };
  const catalogue = models.map((one) => ({ ...one, recovering: recovering.has(one.name) }));
  const table = createRouteTable(channels, catalogue);
  const healthOf = ({ channel: { id } }: Candidate) => healths[id] ?? WORKING;
  return chooseRoute(table, healthOf, query, countMax).map(
    (candidate) => `${candidate.channel.id}:${candidate.model.name}`,
  );
}

/** Models of which a channel was disabled automatically. */
const recovering = new Set<string>();
afterEach(() => recovering.clear());

function refusal(run: () => unknown) {
  try {
    run();
  } catch (error) {
    const { code, param, publicMessage, rejected, retryAfterMs } = error as AppError;
    return { code, param, text: publicMessage, retryAfterMs, rejected };
  }
  throw new Error('was not refused');
}

const both = [channel('a', ['small', 'large']), channel('b', ['small'], { priority: 1 })];

test('a channel where the account would wait is asked after the others, and alone all the same', () => {
  const channels = [channel('first', ['small']), channel('second', ['small'], { priority: 1 })];
  const crowded = { ...WORKING, isCrowded: true };
  expect(choose('small', channels)).toEqual(['first:small', 'second:small']);
  expect(choose('small', channels, {}, { first: crowded })).toEqual([
    'second:small',
    'first:small',
  ]);
  const both = { first: crowded, second: crowded };
  expect(choose('small', channels, {}, both)).toEqual(['first:small', 'second:small']);
});

test('waiting at a healthy channel is tried before a channel that fails', () => {
  const channels = [channel('failing', ['small']), channel('crowded', ['small'], { priority: 1 })];
  const of = {
    failing: { ...WORKING, standing: 'demoted', isCrowded: true },
    crowded: { ...WORKING, isCrowded: true },
  } as const;
  expect(choose('small', channels, {}, of)).toEqual(['crowded:small', 'failing:small']);
});

describe('the choice of a channel', () => {
  it('prefers the lower priority and keeps the others for failover', () => {
    expect(choose('small', both)).toEqual(['a:small', 'b:small']);
  });

  it('shares equals by weight', () => {
    const equals = [channel('a', ['small'], { weight: 3 }), channel('b', ['small'])];
    const rounds = 4000;
    let first = 0;
    for (let seed = 0; seed < rounds; seed += 1) {
      if (choose('small', equals, { tieBreaker: seed })[0] === 'a:small') first += 1;
    }
    expect(first / rounds).toBeGreaterThan(0.7);
    expect(first / rounds).toBeLessThan(0.8);
  });

  it('takes the next by weight among those that are left', () => {
    const weights = { a: 5, b: 3, c: 2 } as const;
    const equals = Object.entries(weights).map(([id, weight]) =>
      channel(id, ['small'], { weight }),
    );
    const rounds = 20_000;
    const orders = new Map<string, number>();
    for (let seed = 0; seed < rounds; seed += 1) {
      const order = choose('small', equals, { tieBreaker: seed }).join().replaceAll(':small', '');
      orders.set(order, (orders.get(order) ?? 0) + 1);
    }
    for (const order of ['a,b,c', 'a,c,b', 'b,a,c', 'b,c,a', 'c,a,b', 'c,b,a']) {
      const [first, second] = order.split(',').map((id) => weights[id as keyof typeof weights]);
      const expected = ((first ?? 0) / 10) * ((second ?? 0) / (10 - (first ?? 0)));
      expect((orders.get(order) ?? 0) / rounds).toBeCloseTo(expected, 2);
    }
  });

  it.each(['small', 'auto', 'auto-cheap'])('takes the same first of %s, however many', (name) => {
    const models = [model('small', 1n), model('large', 10n), model('equal', 1n, 2000)];
    const offered = models.map((each) => each.name);
    const equals = Array.from({ length: 30 }, (_, index) =>
      channel(`c${index}`, offered, { weight: 1 + (index % 4), priority: index % 2 }),
    );
    for (let seed = 0; seed < 50; seed += 1) {
      const all = choose(name, equals, { tieBreaker: seed }, {}, models);
      expect(new Set(all).size).toBe(name === 'small' ? 30 : 90);
      for (const countMax of [1, 3, 8, 9, 16]) {
        const first = choose(name, equals, { tieBreaker: seed, countMax }, {}, models);
        expect(first).toEqual(all.slice(0, countMax));
      }
    }
  });

  it('goes the same way for the same seed, and never loses or repeats a candidate', () => {
    const channels = fc.array(
      fc.record({
        priority: fc.integer({ min: 0, max: 3 }),
        weight: fc.integer({ min: 1, max: 1000 }),
        healthy: fc.boolean(),
      }),
      { minLength: 1, maxLength: 12 },
    );
    fc.assert(
      fc.property(channels, fc.integer({ min: 0, max: 2 ** 32 - 1 }), (drafts, seed) => {
        const list = drafts.map(({ healthy, ...draft }, index) =>
          channel(`c${index}`, ['small'], {
            ...draft,
            models: [{ name: 'small', upstreamName: 'up-small', healthy }],
          }),
        );
        const chosen = choose('small', list, { tieBreaker: seed });
        expect(choose('small', [...list].reverse(), { tieBreaker: seed })).toEqual(chosen);
        expect([...chosen].sort()).toEqual(list.map(({ id }) => `${id}:small`).sort());
        const byId = new Map(list.map((each) => [`${each.id}:small`, each]));
        const ranks = chosen.map((id) => {
          const each = byId.get(id);
          return (each?.models[0]?.healthy ? 0 : 10) + (each?.priority ?? 0);
        });
        expect(ranks).toEqual([...ranks].sort((a, b) => a - b));
      }),
    );
  });

  it('leaves a failing or busy channel out and answers 503 when no other is left', () => {
    const down = {
      obstacle: { kind: 'failing', retryAfterMs: 3000 },
      firstTokenMs: undefined,
    } as const;
    expect(choose('small', both, {}, { a: down })).toEqual(['b:small']);
    const refused = refusal(() => choose('large', both, {}, { a: down }));
    const { code, rejected, retryAfterMs, text } = refused;
    expect([code, retryAfterMs]).toEqual(['SERVICE_UNAVAILABLE', 3000]);
    expect(rejected).toEqual([{ channelId: 'a', model: 'large', reason: 'failing' }]);
    expect(text).toContain('at the moment. Please try again shortly.');
  });

  it('finds channels without a group in the default one, by its name too', () => {
    const without = [channel('a', ['small'])];
    expect(choose('default:small', without)).toEqual(choose('small', without));
  });

  it('answers 503 with as long to wait as probes are apart when a channel of it is probed', () => {
    recovering.add('small');
    for (const name of ['small', 'auto']) {
      const { code, retryAfterMs, text } = refusal(() => choose(name, []));
      expect([code, retryAfterMs]).toEqual(['SERVICE_UNAVAILABLE', 60_000]);
      expect(text).toContain('by themselves');
    }
    expect(refusal(() => choose('large', [])).retryAfterMs).toBe(600_000);
  });

  it('answers 503 with long to wait when no channel of a model is enabled or probed', () => {
    const { code, retryAfterMs, text } = refusal(() => choose('small', []));
    expect([code, retryAfterMs]).toEqual(['SERVICE_UNAVAILABLE', 600_000]);
    // Nobody is told to try again where only a person can help.
    expect(text).toBe(
      'No channel for this model is enabled. Whoever runs this service has to enable or add one.',
    );
  });

  it('puts an unhealthy channel behind every healthy one', () => {
    const sick = [
      channel('a', ['small'], {
        models: [{ name: 'small', upstreamName: 'up-small', healthy: false }],
      }),
      ...both.slice(1),
    ];
    expect(choose('small', sick)).toEqual(['b:small', 'a:small']);
  });
});

describe('a conversation', () => {
  const equals = [channel('a', ['small'], { weight: 3 }), channel('b', ['small'])];
  const caching = (cachedPrompt: bigint) => {
    const { prices, ...rest } = model('small');
    return [{ ...rest, prices: { ...prices, cachedPrompt: nano(cachedPrompt) } }];
  };
  const sharesOf = (name: string, models: readonly RouteModel[], conversations: number) => {
    const firsts = new Map<number, Set<string | undefined>>();
    for (let turn = 0; turn < 5 * conversations; turn += 1) {
      const conversation = turn % conversations;
      const query = { conversationHash: () => conversation, tieBreaker: turn };
      const [first] = choose(name, equals, query, {}, models);
      firsts.set(conversation, (firsts.get(conversation) ?? new Set()).add(first));
    }
    return [...firsts.values()];
  };

  it.each(['small', 'auto', 'auto-cheap'])('of %s stays where prompts are cached', (name) => {
    const firsts = sharesOf(name, caching(0n), 4000);
    expect(firsts.filter(({ size }) => size > 1)).toEqual([]);
    const share = firsts.filter((each) => each.has('a:small')).length / firsts.length;
    expect([share > 0.7, share < 0.8]).toEqual([true, true]);
  });

  it('goes anywhere when a cached prompt costs as much as another', () => {
    const firsts = sharesOf('small', caching(10_000_000n), 200);
    expect(firsts.filter(({ size }) => size > 1).length).toBeGreaterThan(100);
  });

  it('goes on elsewhere while its channel fails, and comes back', () => {
    const asked = { conversationHash: () => 1 };
    const [first, second] = choose('small', equals, asked, {}, caching(0n));
    const down = {
      obstacle: { kind: 'failing', retryAfterMs: 3000 },
      firstTokenMs: undefined,
    } as const;
    const failing = { [String(first).slice(0, 1)]: down };
    expect(choose('small', equals, asked, failing, caching(0n))).toEqual([second]);
    expect(choose('small', equals, asked, {}, caching(0n))).toEqual([first, second]);
  });
});

describe('routing names', () => {
  it('auto asks each channel once, by the operator’s orders, before it asks one again', () => {
    expect(choose('auto', both)).toEqual(['a:small', 'b:small', 'a:large']);
  });

  it.each(['auto', 'auto-cheap', 'auto-fast'])(
    '%s leaves out models whose price nobody set, unless there is no other',
    (name) => {
      const placeholder = { ...model('large', 1n), unpriced: true };
      const mixed = [model('small', 10n), placeholder];
      const chosen = (models: readonly RouteModel[], channels = both) =>
        new Set(choose(name, channels, {}, {}, models).map((each) => each.split(':')[1]));
      expect(chosen(mixed)).toEqual(new Set(['small']));
      expect(chosen([{ ...model('small'), unpriced: true }, placeholder])).toEqual(
        new Set(['small', 'large']),
      );
      const vectors: RouteModel = { ...model('small'), kind: 'embedding' };
      expect(chosen([vectors, placeholder])).toEqual(new Set(['large']));
    },
  );

  it('a model whose price nobody set is asked by its name, and on an account’s own channels', () => {
    const models = [model('small'), { ...model('large'), unpriced: true }];
    expect(choose('large', both, {}, {}, models)).toEqual(['a:large']);
    const own = [channel('mine', ['small', 'large'], { ownerAccountId: 'acc_1' })];
    expect(choose('self:auto', own, {}, {}, models)).toEqual(['mine:small', 'mine:large']);
  });

  it('auto-cheap takes the lowest price for this very request', () => {
    const dear = [channel('a', ['large']), channel('b', ['small'], { priority: 9 })];
    expect(choose('auto-cheap', dear)[0]).toBe('b:small');
  });

  it('auto-fast takes the lowest measured first token and the unmeasured last', () => {
    const three = ['a', 'b', 'c'].map((id) => channel(id, ['small']));
    const healths = {
      a: { obstacle: undefined, firstTokenMs: 300 },
      c: { obstacle: undefined, firstTokenMs: 20 },
    };
    expect(choose('auto-fast', three, {}, healths)).toEqual(['c:small', 'a:small', 'b:small']);
  });

  it('auto-fast counts how long an answer takes to its end', () => {
    const two = ['a', 'b'].map((id) => channel(id, ['small']));
    const healths = {
      a: { obstacle: undefined, firstTokenMs: 100, tokensPerSecond: 20 },
      b: { obstacle: undefined, firstTokenMs: 900, tokensPerSecond: 200 },
    };
    const first = (maxTokens: number) => choose('auto-fast', two, { maxTokens }, healths)[0];
    expect([first(10), first(500)]).toEqual(['a:small', 'b:small']);
  });

  it('auto-fast asks what was measured longest ago in one of twenty requests', () => {
    const three = ['a', 'b', 'c'].map((id) => channel(id, ['small']));
    const healths = {
      a: { obstacle: undefined, firstTokenMs: 20, measuredAgoMs: 1_000 },
      b: { obstacle: undefined, firstTokenMs: 300, measuredAgoMs: 60_000 },
      c: { obstacle: undefined, firstTokenMs: 200, measuredAgoMs: 5_000 },
    };
    const firsts = new Map<string | undefined, number>();
    for (let seed = 0; seed < 10_000; seed += 1) {
      const [first] = choose('auto-fast', three, { tieBreaker: seed }, healths);
      firsts.set(first, (firsts.get(first) ?? 0) + 1);
    }
    expect([...firsts.keys()].sort()).toEqual(['a:small', 'b:small']);
    expect(firsts.get('b:small')).toBeGreaterThan(400);
    expect(firsts.get('b:small')).toBeLessThan(600);
  });

  it('stay within the models that the key may use', () => {
    expect(choose('auto', both, { models: ['large'] })).toEqual(['a:large']);
    expect(choose('auto', both, { models: ['auto'] })).toHaveLength(3);
    expect(refusal(() => choose('auto', both, { models: ['other'] })).code).toBe('FORBIDDEN');
    const account = { accountModels: ['large'] };
    expect(choose('auto', both, account)).toEqual(['a:large']);
    expect(choose('auto', both, { ...account, models: ['auto'] })).toEqual(['a:large']);
    const neither = { ...account, models: ['small'] };
    expect(refusal(() => choose('small', both, neither)).code).toBe('FORBIDDEN');
  });

  it('say whose list lacks a model: its key may be unrestricted', () => {
    const said = (name: string, changes: Partial<RouteQuery>) =>
      refusal(() => choose(name, both, changes)).text;
    const ofPlan = expect.stringContaining("account's plan") as unknown;
    expect(said('small', { accountModels: ['large'] })).toEqual(ofPlan);
    expect(said('small', { accountModels: ['large'], models: ['small'] })).toEqual(ofPlan);
    expect(said('auto', { accountModels: ['other'] })).toEqual(ofPlan);
    expect(said('small', { models: ['large'] })).toBe('This API key may not use this model.');
  });

  it('skip models that cost more than the client allows', () => {
    const leastCostMax = ({ model: { name } }: Candidate) => nano(name === 'large' ? 50n : 5n);
    expect(choose('auto', both, { costMax: nano(49n), leastCostMax })).toEqual([
      'a:small',
      'b:small',
    ]);
    expect(choose('auto', both, { costMax: nano(50n), leastCostMax })).toContain('a:large');
    const limit = { costMax: nano(4n), leastCostMax };
    expect(refusal(() => choose('auto', both, limit))).toMatchObject({
      code: 'COST_LIMIT',
      param: 'X-Tollgate-Max-Cost',
      text: 'X-Tollgate-Max-Cost must be at least 0.000000005 for this prompt.',
    });
    // What is payable and busy may answer later; what cannot be asked for is refused before money.
    const obstacle = { kind: 'busy', retryAfterMs: 500 } as const;
    const down = { obstacle, firstTokenMs: undefined };
    const busy = { ...limit, costMax: nano(5n) };
    expect(refusal(() => choose('auto', both, busy, { a: down, b: down })).code).toBe(
      'SERVICE_UNAVAILABLE',
    );
    const tools = { ...limit, capabilities: ['tools'], capabilityParam: 'tools' };
    expect(refusal(() => choose('auto', both, tools)).code).toBe('VALIDATION_ERROR');
  });

  it('skip models whose cap is below max_tokens', () => {
    expect(choose('auto', both, { maxTokens: 2000 })).toEqual(['a:large']);
  });
});

describe('groups', () => {
  const own = channel('own', ['small'], { ownerAccountId: 'acc_1' });
  const foreign = channel('foreign', ['small'], { ownerAccountId: 'acc_2' });
  const gold = channel('gold', ['small'], { groups: ['gold'] });

  it('self: is the account’s own channels, with concrete and routing names', () => {
    expect(choose('self:small', [...both, own, foreign])).toEqual(['own:small']);
    expect(choose('self:auto', [...both, own, foreign])).toEqual(['own:small']);
  });

  it('never mixes own, foreign or grouped channels into plain names', () => {
    expect(choose('small', [...both, own, foreign, gold])).toEqual(['a:small', 'b:small']);
  });

  it.each([
    ['the account was granted, by a key of any group', [], ['gold']],
    ['the account was granted and the key names', ['gold', 'eu'], ['gold']],
  ])('a group is open when %s', (_, keyGroups, grantedGroups) => {
    const rights = { keyGroups, grantedGroups };
    expect(choose('gold:small', [...both, gold], rights)).toEqual(['gold:small']);
    expect(choose('gold:auto', [...both, gold], rights)).toEqual(['gold:small']);
    expect(choose('auto', [...both, gold], rights)).toEqual(choose('auto', both));
  });

  it.each([
    ['a key names that the account was not granted', ['gold'], []],
    ['the account was granted but the key does not name', ['eu'], ['gold']],
    ['was granted to nobody here', [], ['eu']],
  ])('a group that %s does not exist', (_, keyGroups, grantedGroups) => {
    const rights = { keyGroups, grantedGroups };
    const unknown = refusal(() => choose('nothing:small', [...both, gold], rights));
    for (const name of ['gold:small', 'gold:auto', 'gold:none', 'gold:small-2026-01-01']) {
      expect(refusal(() => choose(name, [...both, gold], rights))).toEqual(unknown);
    }
    expect(unknown.code).toBe('NOT_FOUND');
  });

  it('what is not there is missing in one way', () => {
    const missing = refusal(() => choose('nothing:small', [...both, gold]));
    expect(refusal(() => choose('self:small', both))).toEqual(missing);
    expect(missing).toMatchObject({ code: 'NOT_FOUND', param: 'model' });
  });
});

describe('refusals', () => {
  it.each([
    ['unknown', {}, 'NOT_FOUND', 'model'],
    ['small-2026-01-31', {}, 'VALIDATION_ERROR', 'model'],
    ['small-0613', {}, 'VALIDATION_ERROR', 'model'],
    ['small-v2.1-latest', {}, 'VALIDATION_ERROR', 'model'],
    ['small-preview', {}, 'VALIDATION_ERROR', 'model'],
    ['small', { models: ['large'] }, 'FORBIDDEN', 'model'],
    ['small', { maxTokens: 1001 }, 'VALIDATION_ERROR', 'max_tokens'],
    ['small', { promptExceeds: () => true }, 'CONTEXT_LENGTH_EXCEEDED', 'messages'],
    ['small', { capabilities: ['tools'], capabilityParam: 'tools' }, 'VALIDATION_ERROR', 'tools'],
  ] as const)('%s %j is %s with param %s', (name, changes, code, param) => {
    const refused = refusal(() => choose(name, both, changes as Partial<RouteQuery>));
    expect(refused).toMatchObject({ code, param });
  });

  it('name the nearest model that the client could use', () => {
    const meant = (name: string, changes: Partial<RouteQuery> = {}) =>
      refusal(() => choose(name, both, changes)).text;
    expect(meant('smal')).toContain('Did you mean "small"?');
    expect(meant('smal', { models: ['large'] })).not.toContain('"small"');
    expect(meant('gold:smal')).not.toContain('mean');
    expect(meant('nothing-like-it')).not.toContain('mean');
  });

  it('name the stem of a dated model', () => {
    expect(refusal(() => choose('small-20260131', both)).text).toContain('"small"');
  });

  it('need every capability on one channel', () => {
    const capable = channel('c', ['small'], { capabilities: ['tools', 'n'], priority: 5 });
    const needs = { capabilities: ['tools', 'n'], capabilityParam: 'tools' };
    expect(choose('small', [...both, capable], needs)).toEqual(['c:small']);
  });

  it('name the capability that a message needs, and the message as the place', () => {
    const needs = { capabilities: ['tools'], capabilityParam: 'messages[1].role' };
    const refused = refusal(() => choose('small', both, needs));
    expect(refused).toMatchObject({ param: 'messages[1].role' });
    expect(refused.text).toBe('No channel of this model supports tools.');
  });

  it('name the capability that the nearest channel lacks, and no place of another one', () => {
    const poor = channel('p', ['small']);
    const withTools = channel('t', ['small'], { capabilities: ['tools'] });
    const needs = { capabilities: ['tools', 'images'], capabilityParam: 'messages[1].tool_calls' };
    const refused = refusal(() => choose('small', [poor, withTools], needs));
    expect(refused).toMatchObject({ param: 'model' });
    expect(refused.text).toBe('No channel of this model supports images.');
  });

  it('name what a capable channel cannot express, and prefer one that can', () => {
    const capabilities = ['n', 'tools'];
    const mute = channel('m', ['small'], { type: 'anthropic', capabilities });
    const able = channel('a', ['small'], { capabilities, priority: 5 });
    const asked: Partial<RouteQuery> = {
      capabilities,
      capabilityParam: 'n',
      inexpressible: (type) => (type === 'anthropic' ? 'n' : undefined),
    };
    expect(choose('small', [mute, able], asked)).toEqual(['a:small']);
    const refused = refusal(() => choose('small', [mute], asked));
    expect(refused).toMatchObject({ code: 'VALIDATION_ERROR', param: 'n' });
    // A channel that declares less says less.
    const poor = channel('p', ['small'], { type: 'anthropic', capabilities: ['n'] });
    const lacking = refusal(() => choose('small', [poor], asked));
    expect(lacking.text).toBe('No channel of this model supports tools.');
  });
});
