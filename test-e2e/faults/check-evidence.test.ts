import { createSeededRandom } from '../support/seeded-random';
import type { Attempt } from './attempt';
import type { AccountBooks, LedgerLine } from './books';
import { checkEvidence } from './check-evidence';
import type { Evidence } from './evidence';
import { planCycle } from './fault-plan';

const ACCOUNT = 'acc_1';

function attemptOf(number: number, over: Partial<Attempt> = {}): Attempt {
  return {
    tag: `t${number}`,
    accountId: ACCOUNT,
    keyId: 'key_1',
    stream: true,
    fromMs: number * 1_000,
    untilMs: number * 1_000 + 500,
    status: 200,
    requestId: `req_${number}`,
    errorCode: undefined,
    retryAfter: undefined,
    tokens: 100,
    finished: true,
    usage: { promptTokens: 10, completionTokens: 100 },
    left: false,
    hung: false,
    ...over,
  };
}

function chargeOf(number: number, over: Partial<LedgerLine> = {}): LedgerLine {
  return {
    seq: number + 1,
    kind: 'charge',
    // 10 prompt tokens at 0.10 and 100 completion tokens at 0.40 per million.
    amountNano: 41_000n,
    requestId: `req_${number}`,
    keyId: 'key_1',
    promptTokens: 10,
    completionTokens: 100,
    source: 'exact',
    reason: 'stop',
    ...over,
  };
}

const CREDIT: LedgerLine = { ...chargeOf(0), kind: 'credit', amountNano: 1_000_000n };

/** The books that agree with the charges, unless something else is said. */
function booksOf(charges: readonly LedgerLine[], over: Partial<AccountBooks> = {}): AccountBooks {
  const sum = (read: (line: LedgerLine) => number) =>
    charges.reduce((total, line) => total + read(line), 0);
  const usageNano = charges.reduce((total, { amountNano }) => total + amountNano, 0n);
  return {
    id: ACCOUNT,
    name: 'one',
    grantedNano: 1_000_000n,
    balanceNano: 1_000_000n - usageNano,
    reservedNano: 0n,
    availableNano: 1_000_000n - usageNano,
    creditsNano: 1_000_000n,
    usageNano,
    ledger: [CREDIT, ...charges],
    stats: {
      requests: charges.length,
      promptTokens: sum(({ promptTokens }) => promptTokens),
      completionTokens: sum(({ completionTokens }) => completionTokens),
      spendNano: usageNano,
    },
    keys: [{ id: 'key_1', budgetNano: 500_000n, spentNano: usageNano }],
    ...over,
  };
}

/** Two requests that were answered and charged as they should be. */
function evidenceOf(over: Partial<Evidence> = {}): Evidence {
  const numbers = [1, 2];
  return {
    attempts: numbers.map((number) => attemptOf(number)),
    deliveries: numbers.map((number) => ({
      sequence: number,
      request_id: `req_${number}`,
      tag: `t${number}`,
      tokens: 100,
      prompt_tokens: 10,
      state: 'finished',
    })),
    accounts: [booksOf(numbers.map((number) => chargeOf(number)))],
    audit: {
      ok: true,
      driftNano: 0n,
      reservedNano: 0n,
      absorbedNano: 0n,
      overrunNano: 0n,
      findings: [],
    },
    outages: [],
    crashes: [],
    ...over,
  };
}

const kindsOf = (evidence: Evidence) => [
  ...new Set(checkEvidence(evidence).violations.map(({ kind }) => kind)),
];

const KILLED = { kind: 'kill', target: 'completion', fromMs: 2_100, untilMs: 2_900 } as const;
const CUT = { finished: false, usage: undefined } as const;
const partial = (tokens: number) =>
  chargeOf(2, {
    source: 'partial',
    reason: 'crash',
    completionTokens: tokens,
    amountNano: 1_000n + 400n * BigInt(tokens),
  });
const withSecond = (attempt: Attempt, charge: LedgerLine, over: Partial<Evidence> = {}) =>
  evidenceOf({
    attempts: [attemptOf(1), attempt],
    accounts: [booksOf([chargeOf(1), charge])],
    ...over,
  });

test('charges that are as they should be are no violation', () => {
  expect(checkEvidence(evidenceOf()).violations).toEqual([]);
});

test('no record is right only for a request that was killed before anything was delivered', () => {
  const accounts = [booksOf([chargeOf(1)])];
  const missing = (tokens: number, outages: Evidence['outages']) =>
    kindsOf(
      evidenceOf({ attempts: [attemptOf(1), attemptOf(2, { ...CUT, tokens })], accounts, outages }),
    );
  expect(missing(0, [KILLED])).toEqual([]);
  expect(missing(1, [KILLED])).toEqual(['lost']);
  expect(missing(0, [])).toEqual(['lost']);
});

test('a record at zero of a request that never reached its vendor is no violation', () => {
  const free = chargeOf(3, { amountNano: 0n, promptTokens: 0, completionTokens: 0 });
  const accounts = [booksOf([chargeOf(1), chargeOf(2), free])];
  expect(checkEvidence(evidenceOf({ accounts })).violations).toEqual([]);
});

test('a stream that kill -9 cut may miss its last checkpoint, and no more', () => {
  const cut = attemptOf(2, { ...CUT, tokens: 90 });
  expect(kindsOf(withSecond(cut, partial(26), { outages: [KILLED] }))).toEqual([]);
  expect(kindsOf(withSecond(cut, partial(25), { outages: [KILLED] }))).toEqual(['lost']);
  expect(kindsOf(withSecond(cut, partial(89)))).toEqual(['lost']);
  const ended = { ...partial(89), reason: 'client_gone' };
  expect(kindsOf(withSecond(cut, ended, { outages: [KILLED] }))).toEqual(['lost']);
});

test.each<[string, Evidence, readonly string[]]>([
  ['a missing charge', evidenceOf({ accounts: [booksOf([chargeOf(1)])] }), ['lost']],
  [
    'a second charge',
    evidenceOf({ accounts: [booksOf([chargeOf(1), chargeOf(2), chargeOf(2, { seq: 4 })])] }),
    ['double'],
  ],
  ['a complete answer charged in part', withSecond(attemptOf(2), partial(60)), ['lost']],
  [
    'a charge that is less than its price',
    withSecond(attemptOf(2), chargeOf(2, { amountNano: 40_000n })),
    ['lost'],
  ],
  [
    'a charge that is more than its price',
    withSecond(attemptOf(2), chargeOf(2, { amountNano: 42_000n })),
    ['overcharged', 'lost'],
  ],
  [
    'tokens that the vendor never delivered',
    withSecond(attemptOf(2, CUT), partial(101)),
    ['overcharged'],
  ],
  [
    'a charge for nothing',
    withSecond(attemptOf(2, { ...CUT, tokens: 0, status: 502 }), partial(100)),
    ['overcharged'],
  ],
  [
    'a charge that nobody asked for',
    evidenceOf({ accounts: [booksOf([1, 2, 3].map((number) => chargeOf(number)))] }),
    ['overcharged'],
  ],
  [
    'a balance below zero on the way',
    evidenceOf({
      accounts: [
        booksOf([chargeOf(1), chargeOf(2)], {
          ledger: [{ ...CREDIT, amountNano: 50_000n }, chargeOf(1), chargeOf(2)],
        }),
      ],
    }),
    ['negative'],
  ],
  ['a gap in the ledger', withSecond(attemptOf(2), chargeOf(2, { seq: 4 })), ['drift']],
  [
    'an audit that found something',
    evidenceOf({ audit: { ...evidenceOf().audit, ok: false, driftNano: 5n } }),
    ['drift'],
  ],
  [
    'a credit that came twice',
    evidenceOf({ accounts: [booksOf([chargeOf(1), chargeOf(2)], { grantedNano: 500_000n })] }),
    ['credit'],
  ],
  [
    'a budget that was passed',
    evidenceOf({
      accounts: [
        booksOf([chargeOf(1), chargeOf(2)], {
          keys: [{ id: 'key_1', budgetNano: 81_999n, spentNano: 82_000n }],
        }),
      ],
    }),
    ['budget'],
  ],
  [
    'statistics that differ from the ledger',
    evidenceOf({
      accounts: [
        booksOf([chargeOf(1), chargeOf(2)], {
          stats: { ...booksOf([chargeOf(1)]).stats, requests: 2 },
        }),
      ],
    }),
    ['stats'],
  ],
  [
    'a client that waited for ever',
    evidenceOf({
      attempts: [attemptOf(1), attemptOf(2), attemptOf(3, { ...CUT, tokens: 0, hung: true })],
    }),
    ['hang'],
  ],
  [
    'a 503 that does not say when to come back',
    evidenceOf({
      attempts: [attemptOf(1), attemptOf(2), attemptOf(3, { ...CUT, tokens: 0, status: 503 })],
    }),
    ['bare refusal'],
  ],
  [
    'a process that ended by itself',
    evidenceOf({ crashes: [{ name: 'billing', code: 1, log: '' }] }),
    ['crash'],
  ],
])('%s is found', (_title, evidence, kinds) => {
  expect(kindsOf(evidence)).toEqual(kinds);
});

test('the same seed plans the same faults, and another one others', () => {
  const plan = (seed: number) => {
    const random = createSeededRandom(seed);
    return Array.from({ length: 20 }, () => planCycle(random));
  };
  expect(plan(1)).toEqual(plan(1));
  expect(plan(1)).not.toEqual(plan(2));
  const targets = new Set(
    plan(1)
      .flat()
      .map(({ target }) => target),
  );
  expect(targets.size).toBeGreaterThanOrEqual(6);
});
