import { DAY_MS, HOUR_MS, type Logger, silentLogger } from '@tollgate/core';
import { createFakeClock, type FakeClock, settlePromises } from '@tollgate/testkit';
import type { AuditMark, SoundMark } from '../domain/audit-checks';
import type { AuditReport } from '../domain/audit-report';
import type { AuditResultStore, LedgerStore } from '../domain/ports';
import { createAuditJobs } from '../jobs/jobs';
import {
  type BillingFixture,
  countCalls,
  createBillingFixture,
  credit,
  type Instance,
} from '../testing/billing-fixture';
import { createUnreadMetrics, n } from '../testing/fixtures';
import {
  createInMemoryAuditMarkStore,
  createInMemoryQuarantineStore,
} from '../testing/in-memory-stores';
import { createAudit } from './audit';
import { type AuditRuns, createAuditRuns } from './audit-runs';

const CALL_MS = 10_000;
const ACCOUNTS = 250;

let clock: FakeClock;
let fixture: BillingFixture;
let kept: AuditReport | undefined;
let told: AuditReport[];
/** How old the newest audit was said to be last. */
let toldAgeMs: number | undefined;
let errors: object[];
let reads: Map<string, number>;
let begun: AuditReport | undefined;
let marks: Map<string, AuditMark>;
/** Entries of ledgers that were read for what they come to. */
let entriesRead: number;

let findKept: AuditResultStore['find'];

const results: AuditResultStore = {
  find: () => findKept(),
  async write(report) {
    kept = report;
  },
  findBegun: async () => begun,
  async writeBegun(report) {
    begun = report;
  },
};

beforeEach(() => {
  clock = createFakeClock();
  fixture = createBillingFixture(clock);
  [kept, begun, toldAgeMs] = [undefined, undefined, undefined];
  findKept = async () => kept;
  marks = new Map();
  entriesRead = 0;
  told = [];
  errors = [];
});

/** Audits over accounts of which each takes so long to read. */
function auditsOf(readMs = 0): AuditRuns {
  const { store, counts } = countCalls({
    ...fixture.store,
    async find(accountId: string) {
      if (readMs > 0) await new Promise<void>((resolve) => clock.schedule(readMs, resolve));
      return fixture.store.find(accountId);
    },
  });
  reads = counts;
  const ledger: LedgerStore = {
    ...fixture.ledger,
    async listAfter(...asked) {
      const page = await fixture.ledger.listAfter(...asked);
      entriesRead += page.length;
      return page;
    },
  };
  const logger: Logger = { ...silentLogger, error: (fields) => void errors.push(fields as object) };
  return createAuditRuns({
    audit: fixture.createInstance({ store, ledger }).audit,
    results,
    clock,
    logger,
    marks: createInMemoryAuditMarkStore(marks),
    intervalMs: HOUR_MS,
    metrics: {
      ...createUnreadMetrics(),
      auditKept: (report) => void told.push(report),
      auditAged: (ageMs) => {
        toldAgeMs = ageMs;
      },
    },
  });
}

async function openAccounts(count: number): Promise<void> {
  const billing = fixture.createInstance();
  for (let index = 0; index < count; index += 1) {
    await credit(billing, 10, `acc_${String(index).padStart(4, '0')}`);
  }
}

function call(deadlineMs = CALL_MS) {
  const controller = new AbortController();
  return { deadlineMs, signal: controller.signal, hangUp: () => controller.abort() };
}

/** The answer, with as much time as it takes. */
async function answerOf(asked: Promise<AuditReport>): Promise<AuditReport> {
  let answered = false;
  const end = () => {
    answered = true;
  };
  asked.then(end, end);
  for (let step = 0; step < 2_000 && !answered; step += 1) await clock.advance(10);
  return asked;
}

describe('an audit that is asked for', () => {
  it('says what it checked and where to go on when its time is over', async () => {
    await openAccounts(ACCOUNTS);
    const audits = auditsOf(1_000);
    let report = await answerOf(audits.fresh({}, call()));
    expect(report).toMatchObject({ complete: false, ok: true });
    expect(report.accountsChecked).toBeLessThan(ACCOUNTS);
    expect(kept).toBeUndefined();
    let checked = report.accountsChecked;
    while (!report.complete) {
      expect(report.checkedUpTo).toBe(`acc_${String(checked - 1).padStart(4, '0')}`);
      report = await answerOf(audits.fresh({ after: report.checkedUpTo }, call()));
      checked += report.accountsChecked;
    }
    expect(checked).toBe(ACCOUNTS);
    expect(kept).toBeUndefined();
    await fixture.stop();
    expect(clock.pendingTimers).toBe(0);
  });

  it('is made once for all who ask at the same time, and goes on while one of them waits', async () => {
    await openAccounts(ACCOUNTS);
    const audits = auditsOf(10);
    const first = call();
    const asked = audits.fresh({}, first);
    const also = audits.fresh({}, call());
    await clock.advance(50);
    first.hangUp();
    await expect(asked).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(await answerOf(also)).toMatchObject({ complete: true, accountsChecked: ACCOUNTS });
    expect(reads.get('find')).toBe(ACCOUNTS);
    expect(told).toHaveLength(1);
  });

  it('ends when the last of those who asked is gone', async () => {
    await openAccounts(ACCOUNTS);
    const audits = auditsOf(10);
    const only = call();
    const asked = audits.fresh({}, only);
    await clock.advance(50);
    only.hangUp();
    await expect(asked).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await clock.advance(1_000);
    expect(reads.get('find')).toBeLessThan(ACCOUNTS / 2);
    expect(kept).toBeUndefined();
  });
});

describe('the kept audit', () => {
  it('is answered at once, without a look at any account', async () => {
    await openAccounts(3);
    const audits = auditsOf();
    await audits.fresh({}, call());
    const before = reads.get('find');
    await clock.advance(1_000);
    expect(await audits.latest(call())).toMatchObject({
      accountsChecked: 3,
      checkedAtMs: kept?.checkedAtMs,
    });
    expect(reads.get('find')).toBe(before);
  });

  it('is made for the first who asks, and refused when there is no time for it', async () => {
    await openAccounts(ACCOUNTS);
    const refused = answerOf(auditsOf(1_000).latest(call()));
    await expect(refused).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    const made = await answerOf(auditsOf(1).latest(call()));
    expect(made).toMatchObject({ complete: true, accountsChecked: ACCOUNTS });
    expect(kept).toEqual(made);
  });
});

describe('the audit in the background', () => {
  async function lead(audits: AuditRuns): Promise<() => Promise<void>> {
    const stop = fixture.createInstance().lead([createAuditJobs(audits, HOUR_MS).makeAudits]);
    await settlePromises();
    return stop;
  }

  it('is made soon after the start and then once in an interval, by whoever leads', async () => {
    await openAccounts(3);
    const stop = await lead(auditsOf());
    await clock.advance(60_000);
    expect(kept).toMatchObject({ complete: true, ok: true, accountsChecked: 3 });
    expect(told).toHaveLength(1);
    await stop();
    const stopNext = await lead(auditsOf());
    await clock.advance(HOUR_MS / 2);
    expect(told).toHaveLength(1);
    await clock.advance(HOUR_MS / 2 + 60_000);
    expect(told).toHaveLength(2);
    await stopNext();
    await fixture.stop();
    expect(clock.pendingTimers).toBe(0);
  });

  it('is told to grow old when what was kept cannot be read any more', async () => {
    await openAccounts(3);
    const audits = auditsOf();
    await audits.observe();
    await clock.advance(60_000);
    await audits.observe();
    expect(toldAgeMs).toBe(60_000);
    const { checkedAtMs: madeAt } = await answerOf(audits.fresh({}, call()));
    await clock.advance(60_000);
    await audits.observe();
    expect(toldAgeMs).toBe(clock.now() - madeAt);
    kept = undefined;
    await clock.advance(60_000);
    await audits.observe();
    expect(toldAgeMs).toBe(clock.now() - madeAt);
    findKept = () => Promise.reject(new Error('it is damaged'));
    await clock.advance(60_000);
    await expect(audits.observe()).rejects.toThrow('it is damaged');
    expect(toldAgeMs).toBe(clock.now() - madeAt);
  });

  it('says loudly what it found, what is quarantined and since when included', async () => {
    await openAccounts(2);
    const account = fixture.account('acc_0000');
    const available = n(account.available + 7n);
    fixture.documents.set(account.id, { ...account, available, rev: account.rev + 1 });
    const apart = { id: 'journal:acc_0001', accountId: 'acc_0001', reason: 'it is broken' };
    const quarantinedAtMs = Date.parse('2026-01-02T03:04:05.000Z');
    fixture.quarantined.set(apart.id, { ...apart, quarantinedAtMs, failedAtMs: clock.now() });
    const stop = await lead(auditsOf());
    await clock.advance(60_000);
    await stop();
    expect(kept).toMatchObject({ ok: false, drift: 7n });
    expect(kept?.findings.map(({ rule, detail }) => `${rule} ${detail}`)).toContain(
      'quarantined journal:acc_0001 is quarantined since 2026-01-02T03:04:05.000Z: it is broken',
    );
    expect(errors).toMatchObject([{ drift: '7', findings: 2 }]);
    expect(told).toMatchObject([{ drift: 7n }]);
  });

  it('ends at once when another instance leads', async () => {
    await openAccounts(ACCOUNTS);
    const stop = await lead(auditsOf(1_000));
    await clock.advance(16_000);
    const stopped = stop();
    const before = reads.get('find');
    await clock.advance(60_000);
    await stopped;
    expect(reads.get('find')).toBe(before);
    expect(kept).toBeUndefined();
  });

  it('goes on where the one before it was cut short, in whichever instance', async () => {
    await openAccounts(ACCOUNTS);
    const stop = await lead(auditsOf(1_000));
    await clock.advance(15_000 + 20_000);
    const stopped = stop();
    await clock.advance(1_000);
    await stopped;
    expect(reads.get('find')).toBeGreaterThan(100);
    const stopNext = await lead(auditsOf());
    await clock.advance(60_000);
    await stopNext();
    expect(reads.get('find')).toBeLessThanOrEqual(ACCOUNTS - 100);
    expect(kept).toMatchObject({ complete: true, ok: true, accountsChecked: ACCOUNTS });
  });
});

describe('of the ledgers the background', () => {
  let audits: AuditRuns;
  const signal = new AbortController();

  beforeEach(async () => {
    await openAccounts(3);
    const billing = fixture.createInstance();
    for (let index = 0; index < 40; index += 1) await addCredit(billing, `more-${index}`);
    await clock.advance(5_000);
    audits = auditsOf();
    await nextAudit();
  });

  afterEach(() => fixture.stop());

  async function addCredit(billing: Instance, idempotencyKey: string): Promise<void> {
    const credited = { accountId: 'acc_0000', amount: n(1), note: '', idempotencyKey };
    await billing.addCredits(credited);
  }

  async function nextAudit(): Promise<AuditReport | undefined> {
    clock.jumpWallClock(HOUR_MS);
    entriesRead = 0;
    const made = audits.makeIfDue(signal.signal);
    await clock.advance(1_000);
    await made;
    return kept;
  }

  function soundMark(accountId: string): SoundMark {
    const mark = marks.get(accountId);
    if (mark?.kind !== 'sound') throw new Error(`${accountId} has no sound mark`);
    return mark;
  }

  /** As if somebody had taken the entry out of the collection. */
  function lose(seq: number): () => void {
    const ledger = fixture.ledgerEntries.get('acc_0000');
    const lost = ledger?.get(seq);
    if (lost === undefined) throw new Error(`there is no entry ${seq}`);
    ledger?.delete(seq);
    return () => void ledger?.set(seq, lost);
  }

  it('checks whole ledgers as far as there is room, the one of the longest ago first', async () => {
    const audit = createAudit({
      store: fixture.store,
      ledger: fixture.ledger,
      clock,
      wholeEntriesMax: 1,
      quarantineStore: createInMemoryQuarantineStore(),
    });
    const wholeAt = (accountId: string) => soundMark(accountId).wholeAtMs;
    const ids = [...marks.keys()];
    const begunAt = clock.now();
    for (const [index, id] of ids.toReversed().entries()) {
      marks.set(id, { ...soundMark(id), wholeAtMs: begunAt - DAY_MS + index });
    }
    const checked: string[] = [];
    for (let round = 0; round < 3; round += 1) {
      const report = audit({ marks: createInMemoryAuditMarkStore(marks) });
      await clock.advance(1_000);
      expect(await report).toMatchObject({ ok: true, accountsChecked: 3 });
      checked.push(...ids.filter((id) => wholeAt(id) >= begunAt && !checked.includes(id)));
    }
    expect(checked).toEqual(ids.toReversed());
  });

  it('reads what is new, once a day all of it', async () => {
    await nextAudit();
    expect(entriesRead).toBe(0);
    await addCredit(fixture.createInstance(), 'new');
    await clock.advance(5_000);
    expect(await nextAudit()).toMatchObject({ ok: true, accountsChecked: 3 });
    expect(entriesRead).toBe(1);
    let most = 0;
    for (let hour = 0; hour < 37; hour += 1) {
      await nextAudit();
      most = Math.max(most, entriesRead);
    }
    expect(most).toBeGreaterThanOrEqual(42);
  });

  it('finds a fault of an account at once', async () => {
    const account = fixture.account('acc_0000');
    const [granted, available] = [n(account.granted + 7n), n(account.available + 7n)];
    const damaged = { ...account, granted, available, rev: account.rev + 1 };
    fixture.documents.set(account.id, damaged);
    expect(await nextAudit()).toMatchObject({ ok: false, drift: 7n });
    fixture.documents.set(account.id, { ...account, rev: damaged.rev + 1 });
    expect(await nextAudit()).toMatchObject({ ok: true });
  });

  it('finds an old entry that was lost within a day and a half, until it is there again', async () => {
    const mend = lose(2);
    let hours = 0;
    do {
      await nextAudit();
      hours += 1;
    } while (kept?.ok === true && hours < 37);
    expect(hours).toBeLessThan(37);
    for (let again = 0; again < 3; again += 1) {
      expect((await nextAudit())?.findings).toMatchObject([
        { rule: 'ledger_gap', accountId: 'acc_0000' },
        { rule: 'credits', drift: 1n },
      ]);
    }
    mend();
    expect(await nextAudit()).toMatchObject({ ok: true });
  });

  it('tells of a large ledger with findings every hour, and reads it again twice a day', async () => {
    const ledger: LedgerStore = {
      ...fixture.ledger,
      async listAfter(accountId, ...asked) {
        const page = await fixture.ledger.listAfter(accountId, ...asked);
        if (accountId === 'acc_0000') entriesRead += page.length;
        return page;
      },
    };
    // 41 of its entries are more than a hundredth of what one audit may read.
    const audit = createAudit({
      store: fixture.store,
      ledger,
      clock,
      wholeEntriesMax: 1_000,
      quarantineStore: createInMemoryQuarantineStore(),
    });
    const hour = async () => {
      clock.jumpWallClock(HOUR_MS);
      entriesRead = 0;
      const report = audit({ marks: createInMemoryAuditMarkStore(marks) });
      await clock.advance(1_000);
      return (await report).findings.map(({ accountId, rule }) => `${accountId} ${rule}`);
    };
    const mend = lose(2);
    marks.delete('acc_0000');
    const found = ['acc_0000 ledger_gap', 'acc_0000 credits'];
    expect(await hour()).toEqual(found);
    expect(entriesRead).toBeGreaterThan(30);
    for (let again = 0; again < 11; again += 1) {
      expect(await hour()).toEqual(found);
      expect(entriesRead).toBe(0);
    }
    mend();
    expect(await hour()).toEqual(found);
    expect(entriesRead).toBeGreaterThan(30);
    expect(await hour()).toEqual([]);
  });

  it('finds an old entry that was lost at once when it is asked for a fresh audit', async () => {
    lose(2);
    expect(await answerOf(audits.fresh({}, call()))).toMatchObject({ ok: false, drift: 1n });
  });

  it('finds no fault because a mark is from before a restore', async () => {
    const mark = soundMark('acc_0000');
    const { seq } = mark.sums;
    marks.set('acc_0000', { ...mark, sums: { ...mark.sums, granted: 5n } });
    marks.set('acc_0001', { ...mark, sums: { ...mark.sums, seq: seq + 100 } });
    expect(await nextAudit()).toMatchObject({ ok: true, findings: [] });
    expect(soundMark('acc_0000').sums).toEqual(mark.sums);
  });
});
