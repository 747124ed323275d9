import { join } from 'node:path';
import { formatAmount, type Nano, parseAmount, seededRandom, ZERO_NANO } from '@tollgate/core';
import { expectGeneratedBlock, toAlignedTable } from '@tollgate/testkit';
import type { Candidate, RouteChannel, RouteModel } from '../routing/candidate';
import type { CandidateHealth } from '../routing/health';
import { createRouteTable } from '../routing/route-table';
import { exampleRequest } from '../testing/run-fixture';
import { exampleCall } from '../testing/vendor-call';
import { usualTokensOf } from '../usage/estimate';
import { type ExplainedCandidate, explainRoute } from './explain';
import { planRequest } from './plan';
import { type CompletionRequest, promptTextBytesOf } from './request';
import { createTieBreakers } from './to-route-query';

const PAGE = join(__dirname, '../../../../docs/routing.md');
const ATTEMPTS_MAX = 3;
const ROUNDS = 2_000;
const { candidate: example } = exampleCall();
const count = (value: number) => value.toLocaleString('en-US');

/** Prices of a million tokens. */
const MODELS = [
  { name: 'small', prompt: '0.10', cached: '0.05', completion: '0.40' },
  { name: 'wide', prompt: '0.05', cached: '0.05', completion: '1.00' },
] as const;

const CHANNELS = [
  {
    name: 'alpha',
    priority: 1,
    weight: 300,
    models: ['small', 'wide'],
    firstTokenMs: 100,
    tokensPerSecond: 20,
  },
  {
    name: 'beta',
    priority: 1,
    weight: 100,
    models: ['small'],
    firstTokenMs: 900,
    tokensPerSecond: 200,
  },
  {
    name: 'gamma',
    priority: 2,
    weight: 100,
    models: ['wide'],
    firstTokenMs: 300,
    tokensPerSecond: 50,
  },
] as const;

const TABLE = createRouteTable(
  CHANNELS.map(
    ({ models, name, priority, weight }): RouteChannel => ({
      ...example.channel,
      id: `chn_${name}`,
      name,
      priority,
      weight,
      models: models.map((model) => ({ name: model, upstreamName: model, healthy: true })),
    }),
  ),
  MODELS.map(
    ({ cached, completion, name, prompt }): RouteModel => ({
      ...example.model,
      name,
      contextTokensMax: 128_000,
      vendorTokensMax: 128_000,
      prices: {
        prompt: amountOf(prompt),
        completion: amountOf(completion),
        cachedPrompt: amountOf(cached),
      },
    }),
  ),
);

function amountOf(text: string): Nano {
  return parseAmount(text) ?? ZERO_NANO;
}

/** What the process saw of each channel; `beta` may be asked to wait by its vendor. */
function healthOf(limited: boolean) {
  return ({ channel }: Candidate): CandidateHealth => {
    const seen = CHANNELS.find(({ name }) => name === channel.name);
    const isLimited = limited && channel.name === 'beta';
    return {
      obstacle: isLimited ? { kind: 'cooling_down', retryAfterMs: 4000 } : undefined,
      firstTokenMs: seen?.firstTokenMs,
      tokensPerSecond: seen?.tokensPerSecond,
      measuredAgoMs: 1000,
      calls: 40,
      successRate: 1,
    };
  };
}

const depsOf = (limited = false) => ({
  routeTable: () => TABLE,
  vendors: { healthOf: healthOf(limited) },
  tieBreakers: createTieBreakers(seededRandom(2026)),
  clock: { monotonicMs: () => 0 },
});

const userSays = (text: string) => ({ role: 'user', content: text });
/** A request whose last message brings its prompt to so many bytes. */
function asking(
  model: string,
  bytes: number,
  changes: Partial<CompletionRequest> = {},
): CompletionRequest {
  const frame = JSON.stringify([userSays('')]).length;
  const messages = Buffer.from(JSON.stringify([userSays('x'.repeat(bytes - frame))]));
  return exampleRequest({ model, messages, ...changes });
}

const nameOf = ({ channel, model }: Candidate) => `${channel.name}, ${model.name}`;
const attemptsOf = (request: CompletionRequest, deps = depsOf()) =>
  planRequest(deps, request, ATTEMPTS_MAX).candidates.map(({ candidate }) => nameOf(candidate));
const firstOf = (request: CompletionRequest, deps = depsOf()) => attemptsOf(request, deps)[0] ?? '';

/** Explained, and by an assertion what a request would do. */
function explained(request: CompletionRequest, limited = false): readonly ExplainedCandidate[] {
  const deps = depsOf(limited);
  const all = explainRoute(deps, request);
  const [chosen] = planRequest(deps, request, ATTEMPTS_MAX).candidates;
  expect(all[0]?.candidate).toBe(chosen?.candidate);
  return all;
}

const estimateAt = (all: readonly ExplainedCandidate[], model: string) =>
  formatAmount(all.find((each) => each.candidate.model.name === model)?.estimate ?? ZERO_NANO);

/** How often each was the first, in percent. */
function sharesOf(request: () => CompletionRequest): string {
  const firsts = new Map<string, number>();
  const deps = depsOf();
  for (let round = 0; round < ROUNDS; round += 1) {
    const first = firstOf(request(), deps);
    firsts.set(first, (firsts.get(first) ?? 0) + 1);
  }
  return [...firsts]
    .sort(([, a], [, b]) => b - a)
    .map(([name, times]) => `${name} ${((100 * times) / ROUNDS).toFixed(1)} %`)
    .join('; ');
}

test('the models and channels of the examples are as the page shows them', () => {
  const models = toAlignedTable(
    ['model', 'prompt', 'from a cache', 'completion'],
    MODELS.map(({ cached, completion, name, prompt }) => [name, prompt, cached, completion]),
  );
  const channels = toAlignedTable(
    ['channel', 'priority', 'weight', 'models', 'first token', 'tokens a second'],
    CHANNELS.map(({ firstTokenMs, models: served, name, priority, tokensPerSecond, weight }) => [
      name,
      `${priority}`,
      `${weight}`,
      served.join(', '),
      `${firstTokenMs} ms`,
      `${tokensPerSecond}`,
    ]),
  );
  expectGeneratedBlock(PAGE, 'the examples', `${models}\n\n${channels}`);
});

test('auto shares by priority and weight, as the page shows', () => {
  const rows = ['auto', 'small', 'wide'].map((model) => [
    `\`${model}\``,
    sharesOf(() => asking(model, 400)),
    attemptsOf(asking(model, 400)).length.toString(),
  ]);
  const table = toAlignedTable(
    ['asked for', `first of ${count(ROUNDS)} requests`, 'attempts'],
    rows,
  );
  expectGeneratedBlock(PAGE, 'auto', table);
});

test('auto-cheap compares the price of each request, as the page shows', () => {
  const rows = [
    asking('auto-cheap', 400),
    asking('auto-cheap', 40_000, { maxTokens: 100 }),
    asking('auto-cheap', 30_000),
    asking('auto-cheap', 60_000),
  ].map((request) => {
    const all = explained(request);
    const prompt = usualTokensOf(promptTextBytesOf(request));
    const { model } = all[0]?.candidate ?? example;
    return [
      `${count(promptTextBytesOf(request))} bytes`,
      count(prompt),
      count(request.maxTokens ?? 1000),
      estimateAt(all, 'small'),
      estimateAt(all, 'wide'),
      model.name,
    ];
  });
  const head = ['prompt', 'taken as tokens', 'answer', 'at `small`', 'at `wide`', 'first'];
  expectGeneratedBlock(PAGE, 'auto-cheap', toAlignedTable(head, rows));
});

test('auto-fast compares when an answer has come to its end, as the page shows', () => {
  const rows = [10, 60, 500].map((maxTokens) => {
    // One in twenty explores: the others are of one mind.
    const all = explained(asking('auto-fast', 400, { maxTokens }));
    const expected = CHANNELS.map(({ name }) => {
      const of = all.find(({ candidate }) => candidate.channel.name === name);
      return `${count(Math.round(of?.figures.expectedMs ?? 0))} ms`;
    });
    return [`${maxTokens} tokens`, ...expected, nameOf(all[0]?.candidate ?? example)];
  });
  const head = ['answer of', ...CHANNELS.map(({ name }) => name), 'first'];
  expectGeneratedBlock(PAGE, 'auto-fast', toAlignedTable(head, rows));
});

test('a conversation stays where its prompt is cached, as the page shows', () => {
  const turnsOf = (begin: string, model: string) => {
    const first = userSays(`${begin} ${'x'.repeat(5000)}`);
    const more = [{ role: 'assistant', content: 'Yes.' }, userSays('And then?')];
    const turns = [[first], [first, ...more], [first, ...more, ...more]];
    return turns.map((messages) =>
      firstOf(exampleRequest({ model, messages: Buffer.from(JSON.stringify(messages)) })),
    );
  };
  const [one, other] = ['One', 'Another'].map((begin) => turnsOf(begin, 'small'));
  expect([one, other].map((turns) => new Set(turns).size)).toEqual([1, 1]);
  const begins = Array.from({ length: ROUNDS }, (_, index) => `${index}`);
  let next = 0;
  const spread = sharesOf(() => {
    const begin = begins[next] ?? '';
    next += 1;
    const content = `${begin} ${'x'.repeat(5000)}`;
    return exampleRequest({
      model: 'small',
      messages: Buffer.from(JSON.stringify([userSays(content)])),
    });
  });
  const rows = [
    ['three turns of one conversation', one?.join('; ') ?? ''],
    ['three turns of another', other?.join('; ') ?? ''],
    [`first turns of ${count(ROUNDS)} conversations`, spread],
    [`${count(ROUNDS)} short prompts`, sharesOf(() => asking('small', 400))],
  ];
  expectGeneratedBlock(PAGE, 'sticky', toAlignedTable(['asked of `small`', 'first'], rows));
});

test('fallbacks have attempts of their own, as the page shows', () => {
  const rows = [
    { model: 'small', fallbackModels: [] },
    { model: 'wide', fallbackModels: ['small'] },
    { model: 'auto-cheap', fallbackModels: ['wide'] },
  ].map(({ fallbackModels, model }) => [
    `\`${model}\``,
    fallbackModels.map((name) => `\`${name}\``).join(', '),
    attemptsOf(asking(model, 400, { fallbackModels })).join('; '),
  ]);
  expectGeneratedBlock(PAGE, 'fallbacks', toAlignedTable(['`model`', '`models`', 'asked'], rows));
});

test('explain tells of every candidate, as the page shows', () => {
  const rows = explained(asking('auto-fast', 400, { maxTokens: 500 }), true).map(
    ({ candidate, eligible, estimate, rank, reasons }) => [
      `${rank}`,
      nameOf(candidate),
      formatAmount(estimate),
      `${eligible ? '' : 'rejected: '}${reasons.join('; ')}`,
    ],
  );
  const head = ['rank', 'candidate', 'estimated amount', 'reasons'];
  expectGeneratedBlock(PAGE, 'explain', toAlignedTable(head, rows));
});
