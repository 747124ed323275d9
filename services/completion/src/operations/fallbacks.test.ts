import { AppError, nano, silentLogger } from '@tollgate/core';
import { createFakeClock } from '@tollgate/testkit';
import type { LeaseManager } from '../credit/lease-manager';
import { VendorFailure } from '../domain/vendor';
import { createRouteTable } from '../routing/route-table';
import { createRunFixture, exampleRequest, wholeAnswer } from '../testing/run-fixture';
import { exampleCall } from '../testing/vendor-call';
import { complete } from './complete';
import { planRequest } from './plan';
import type { CompletionRequest } from './request';

const ATTEMPTS_MAX = 3;
const { candidate } = exampleCall();
const model = (name: string, price: bigint) => {
  const each = nano(price);
  const prices = { prompt: each, completion: each, cachedPrompt: each };
  return { ...candidate.model, name, prices };
};
const channel = (id: string, name: string, capabilities: readonly string[] = []) => ({
  ...candidate.channel,
  id,
  capabilities,
  models: [{ name, upstreamName: name, healthy: true }],
});
const TABLE = createRouteTable(
  [
    ...['a1', 'a2', 'a3', 'a4'].map((id) => channel(id, 'a')),
    ...['b1', 'b2'].map((id) => channel(id, 'b', ['tools'])),
    channel('c1', 'c'),
    channel('d1', 'd'),
    { ...channel('own1', 'a'), ownerAccountId: 'acc_1' },
    { ...channel('own2', 'c'), ownerAccountId: 'acc_1' },
  ],
  [model('a', 1n), model('b', 1_000_000n), model('c', 1n), model('d', 1n)],
);

type Answer = ReturnType<typeof wholeAnswer> | VendorFailure;

function plan(changes: Partial<CompletionRequest>, table = TABLE) {
  const deps = {
    routeTable: () => table,
    vendors: { healthOf: () => ({ obstacle: undefined, firstTokenMs: undefined }) },
    tieBreakers: { peek: () => 1, take: () => 1 },
    clock: { monotonicMs: () => 0 },
  };
  return planRequest(deps, exampleRequest(changes), ATTEMPTS_MAX);
}
const modelsOf = (changes: Partial<CompletionRequest>) =>
  plan(changes).candidates.map(({ candidate }) => candidate.model.name);
function refusalOf(changes: Partial<CompletionRequest>): AppError {
  try {
    plan(changes);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('was not refused');
}

test('every name keeps an attempt, and the earlier ones have the others', () => {
  expect(modelsOf({ model: 'a' })).toEqual(['a', 'a', 'a']);
  expect(modelsOf({ model: 'a', fallbackModels: ['b'] })).toEqual(['a', 'a', 'b']);
  expect(modelsOf({ model: 'a', fallbackModels: ['b', 'c'] })).toEqual(['a', 'b', 'c']);
  expect(modelsOf({ model: 'c', fallbackModels: ['b'] })).toEqual(['c', 'b', 'b']);
  expect(modelsOf({ model: 'c', fallbackModels: ['c', 'a'] })).toEqual(['c', 'a', 'a']);
  expect(modelsOf({ model: 'c', fallbackModels: ['auto'] })[0]).toBe('c');
});

test('a fallback that the names before it have covered leaves its attempt to them', () => {
  const models = ['small', 'wide'].map((name) => ({ name, upstreamName: name, healthy: true }));
  const table = createRouteTable(
    [
      { ...channel('alpha', 'small'), models },
      { ...channel('beta', 'small'), priority: 1 },
    ],
    [model('small', 1n), model('wide', 2n)],
  );
  const planned = plan({ model: 'auto-cheap', fallbackModels: ['small'] }, table).candidates;
  expect(planned.map(({ candidate: { channel, model } }) => `${channel.id} ${model.name}`)).toEqual(
    ['alpha small', 'beta small', 'alpha wide'],
  );
});

test('names come before those behind them when there are fewer attempts than names', () => {
  const manyOf = (first: string, ...fallbackModels: readonly string[]) =>
    modelsOf({ model: first, fallbackModels });
  expect(manyOf('a', 'b', 'c', 'd')).toEqual(['a', 'b', 'c']);
  expect(manyOf('d', 'c', 'b', 'a')).toEqual(['d', 'c', 'b']);
});

test('a reservation covers the dearest name that may be tried', () => {
  const alone = plan({ model: 'a' }).credit.worst;
  const withDearer = plan({ model: 'a', fallbackModels: ['b'] }).credit;
  expect(withDearer.worst).toBe(plan({ model: 'b' }).credit.worst);
  expect(withDearer.worst).toBeGreaterThan(alone);
});

test('a name that cannot serve the request is left out, unless none can', () => {
  const tools = { capabilities: ['tools'], capabilityParam: 'tools' };
  expect(modelsOf({ ...tools, model: 'a', fallbackModels: ['b'] })).toEqual(['b', 'b']);
  const refused = refusalOf({ ...tools, model: 'a', fallbackModels: ['c'] });
  expect(refused).toMatchObject({ code: 'VALIDATION_ERROR', param: 'tools' });
});

test('a name that does not exist is refused wherever it stands', () => {
  expect(refusalOf({ model: 'x', fallbackModels: ['a'] })).toMatchObject({
    code: 'NOT_FOUND',
    param: 'model',
  });
  expect(refusalOf({ model: 'a', fallbackModels: ['b', 'x'] })).toMatchObject({
    code: 'NOT_FOUND',
    param: 'models[1]',
  });
  const { caller } = exampleRequest();
  const narrow = { caller: { ...caller, models: ['a'] } };
  expect(refusalOf({ ...narrow, model: 'a', fallbackModels: ['b'] })).toMatchObject({
    code: 'FORBIDDEN',
    param: 'models[0]',
  });
});

test('the record tells operators of each call that did not help, and what its vendor said', async () => {
  const fixture = await createRunFixture(createFakeClock());
  const failed = new VendorFailure(new AppError('UPSTREAM_ERROR'), 'failure', {
    retryElsewhere: true,
  });
  failed.words = { status: 529, error: 'overloaded_error', message: 'Overloaded' };
  const silent = new VendorFailure(new AppError('UPSTREAM_TIMEOUT'), 'timeout', {
    retryElsewhere: true,
  });
  fixture.vendors.answers.push(failed, silent, wholeAnswer(5, 2));
  await complete({ ...fixture.deps, routeTable: () => TABLE }, exampleRequest({ model: 'a' }));
  expect(JSON.parse(fixture.onlyRecord().failedAttempts ?? 'null')).toEqual([
    {
      channel_id: expect.stringMatching(/^a\d$/) as unknown,
      model: 'a',
      outcome: 'failure',
      reason: expect.any(String) as unknown,
      after_ms: 0,
      took_ms: 0,
      http_status: 529,
      vendor_error: 'overloaded_error',
      vendor_message: 'Overloaded',
    },
    {
      channel_id: expect.stringMatching(/^a\d$/) as unknown,
      model: 'a',
      outcome: 'timeout',
      reason: expect.any(String) as unknown,
      after_ms: expect.any(Number) as unknown,
      took_ms: 0,
    },
  ]);
});

test('a request that no call helped is one line, with what its vendor said behind the head', async () => {
  const fixture = await createRunFixture(createFakeClock());
  const lines: [string, unknown][] = [];
  const warn = (fields: object, message: string) => {
    lines.push([message, JSON.parse(JSON.stringify(fields))]);
  };
  const failed = new VendorFailure(
    new AppError('UPSTREAM_ERROR', { internalMessage: 'the vendor answered 500' }),
    'failure',
    { retryElsewhere: false },
  );
  const words = { status: 500, error: 'server_error', message: 'Out of order' };
  // The body comes after the failure, while the record is written.
  const leases = {
    reserve: fixture.leases.reserve.bind(fixture.leases),
    release: fixture.leases.release.bind(fixture.leases),
    endRequest: (...ending: Parameters<LeaseManager['endRequest']>) => {
      failed.words = words;
      return fixture.leases.endRequest(...ending);
    },
  };
  fixture.vendors.answers.push(failed);
  const logger = { ...silentLogger, warn };
  const deps = { ...fixture.deps, leases, logger, routeTable: () => TABLE };
  const request = exampleRequest({ model: 'c' });
  const shown: unknown = await complete(deps, request).catch((error: unknown) => error);
  const { accountId, keyId } = request.caller;
  const attempt = { channelId: 'c1', model: 'c', reason: 'the vendor answered 500', words };
  expect(lines).toMatchObject([
    [
      'no vendor call of a request worked',
      { requestId: request.requestId, accountId, keyId, model: 'c', attempts: [attempt] },
    ],
  ]);
  // What is told there is not told again by whoever passes the failure on.
  expect(shown).toMatchObject({ code: 'UPSTREAM_ERROR', message: failed.error.publicMessage });
});

test('a key with a budget pays for what it falls back to from a channel of its account', async () => {
  const { caller } = exampleRequest();
  const budget = { keyId: caller.keyId, limit: nano(1_000n), period: 'none' as const };
  const paidBy = async (model: string, fallback: string) => {
    const fixture = await createRunFixture(createFakeClock());
    const failed = new VendorFailure(new AppError('UPSTREAM_ERROR'), 'failure', {
      retryElsewhere: true,
    });
    fixture.vendors.answers.push(failed, wholeAnswer(5, 2));
    const request = exampleRequest({
      model,
      fallbackModels: [fallback],
      caller: { ...caller, budget },
    });
    await complete({ ...fixture.deps, routeTable: () => TABLE }, request);
    return fixture.billing.acquires.map((acquire) => acquire.budget);
  };
  expect(await paidBy('self:a', 'c')).toEqual([budget]);
  expect(await paidBy('c', 'self:a')).toEqual([budget]);
  expect(await paidBy('self:a', 'self:c')).toEqual([undefined]);
});

test('all calls of one request count what they wait in lines together, and no others', async () => {
  const fixture = await createRunFixture(createFakeClock());
  const unsent = () =>
    new VendorFailure(new AppError('SERVICE_UNAVAILABLE'), 'not_sent', { retryElsewhere: true });
  fixture.vendors.answers.push(unsent(), wholeAnswer(5, 2), wholeAnswer(5, 2));
  const ask = () =>
    complete({ ...fixture.deps, routeTable: () => TABLE }, exampleRequest({ model: 'a' }));
  await ask();
  await ask();
  const [first, second, other] = fixture.vendors.calls.map(({ queueWait }) => queueWait);
  expect(first).toBe(second);
  expect(other).not.toBe(first);
});

describe('when a vendor refuses the request itself', () => {
  const refusal = () =>
    new VendorFailure(new AppError('CONTEXT_LENGTH_EXCEEDED'), 'request_refused', {
      retryElsewhere: false,
    });
  const callsOf = async (changes: Partial<CompletionRequest>, answers: readonly Answer[]) => {
    const fixture = await createRunFixture(createFakeClock());
    fixture.billing.setAvailable('acc_1', 10n ** 9n);
    fixture.vendors.answers.push(...answers);
    const deps = { ...fixture.deps, routeTable: () => TABLE };
    const answered = complete(deps, exampleRequest(changes));
    const failure = await answered.then(
      () => undefined,
      ({ code, recorded }: AppError) => ({ code, recorded }),
    );
    const called = fixture.vendors.calls.map(({ candidate: each }) => each.channel.id.slice(0, 1));
    return { called: called.join(''), failure };
  };

  test('no other channel of the model is asked, but the next model is', async () => {
    const wanted = { model: 'a', fallbackModels: ['b'] };
    expect(await callsOf(wanted, [refusal(), wholeAnswer(5, 2)])).toEqual({
      called: 'ab',
      failure: undefined,
    });
  });

  test('it is refused when no model is left', async () => {
    // Its record tells its story: it is not also one that was refused before a vendor was asked.
    const failure = { code: 'CONTEXT_LENGTH_EXCEEDED', recorded: true };
    expect(await callsOf({ model: 'a' }, [refusal()])).toEqual({ called: 'a', failure });
    const wanted = { model: 'a', fallbackModels: ['b'] };
    expect(await callsOf(wanted, [refusal(), refusal()])).toEqual({ called: 'ab', failure });
  });
});

test('each model pays for the retries and fallbacks that come to it', async () => {
  const fixture = await createRunFixture(createFakeClock());
  fixture.billing.setAvailable('acc_1', 10n ** 9n);
  const noted: string[] = [];
  // The first model has no retries left.
  const retries = {
    noteRequest: (name: string) => void noted.push(name),
    take: (name: string) => name !== 'a',
  };
  const failed = new VendorFailure(new AppError('UPSTREAM_ERROR'), 'failure', {
    retryElsewhere: true,
  });
  fixture.vendors.answers.push(failed, wholeAnswer(5, 2));
  const deps = { ...fixture.deps, routeTable: () => TABLE, retries };
  await complete(deps, exampleRequest({ model: 'a', fallbackModels: ['b'] }));
  expect(fixture.vendors.calls.map(({ candidate: each }) => each.model.name)).toEqual(['a', 'b']);
  expect(noted).toEqual(['a', 'b']);
});
