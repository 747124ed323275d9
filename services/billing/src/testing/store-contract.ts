import assert from 'node:assert/strict';
import type { Account } from '../domain/account';
import { DEFAULT_ACCOUNT_BOUNDS } from '../domain/account-bounds';
import type { OwnedClaim } from '../domain/claims';
import { entriesOf, toOutboxBatch } from '../domain/journal';
import { retireLeases } from '../domain/lease-lifecycle';
import type { GrantEntry, LedgerEntry } from '../domain/ledger-entry';
import type {
  AccountStore,
  ClaimStore,
  DatedAccount,
  LedgerStore,
  OutboxStore,
  StoredClaim,
} from '../domain/ports';
import { settleRecords } from '../domain/settle-records';
import {
  accountWith,
  closeRecord,
  HOLDER,
  NOON,
  n,
  sweptNow,
  usageRecord,
  withLease,
} from './fixtures';

/** One guarantee that every implementation of a store keeps. */
export interface ContractCase<Store> {
  readonly title: string;
  /** Rejects when the empty store does not keep it. */
  run(store: Store): Promise<void>;
}

const EXPIRED = NOON + DEFAULT_ACCOUNT_BOUNDS.leaseTtlMs;

function written(account: Account, changes: Partial<Account> = {}): Account {
  return { ...account, rev: account.rev + 1, updatedAtMs: NOON, ...changes };
}

/** An account in which every kind of member has a value. */
function fullAccount(): Account {
  const budget = { keyId: 'key_1', limit: n(500), period: 'week' as const };
  let account = withLease(withLease(accountWith(10_000), { budget }), { holder: 'spl_lost' });
  account = retireLeases(
    account,
    ({ holder }) => holder !== HOLDER,
    NOON,
    DEFAULT_ACCOUNT_BOUNDS,
  ).account;
  const records = [
    usageRecord({ budget: { limit: n(500), period: 'week' }, firstTokenMs: 7, stream: true }),
    usageRecord({ number: 2, clientRequestId: 'mine', errorCode: 'UPSTREAM_ERROR' }),
    usageRecord({ number: 3, completionTokens: -1, reserved: n(0) }),
  ];
  account = settleRecords(account, records, NOON, DEFAULT_ACCOUNT_BOUNDS).account;
  return written({ ...account, granted: n(2n ** 62n), available: n(2n ** 62n - 10_000n) });
}

/** What the guard and the reads of an account store promise. */
export const ACCOUNT_STORE_CONTRACT: readonly ContractCase<AccountStore>[] = [
  {
    title: 'answers nothing for an account that does not exist',
    async run(store) {
      assert.equal(await store.find('acc_missing'), undefined);
      assert.deepEqual(await store.findWatermarks(['acc_missing']), []);
    },
  },
  {
    title: 'answers an account exactly as it was written, to the nano-unit',
    async run(store) {
      const account = fullAccount();
      assert.equal(await store.create(account), true);
      assert.deepEqual(await store.find(account.id), account);
    },
  },
  {
    title: 'keeps the order in which keys were charged, and that one was dropped',
    async run(store) {
      const chargedByKey = new Map(['key_b', 'key_c', 'key_a'].map((keyId) => [keyId, n(1)]));
      const account = written(accountWith(1), { chargedByKey, chargedKeysDropped: true });
      await store.create(account);
      const read = await store.find(account.id);
      assert.deepEqual([...(read?.chargedByKey.keys() ?? [])], [...chargedByKey.keys()]);
      assert.equal(read?.chargedKeysDropped, true);
    },
  },
  {
    title: 'creates an account once, however many try',
    async run(store) {
      const account = written(accountWith(1));
      const created = await Promise.all(Array.from({ length: 20 }, () => store.create(account)));
      assert.equal(created.filter(Boolean).length, 1);
    },
  },
  {
    title: 'replaces an account only when it is still the one that was read',
    async run(store) {
      const account = written(accountWith(1));
      await store.create(account);
      const next = written(account, { granted: n(2) });
      assert.equal(await store.replace(next, account.rev), true);
      assert.equal(await store.replace(written(account), account.rev), false);
      assert.deepEqual(await store.find(account.id), next);
    },
  },
  {
    title: 'creates nothing by a replacement',
    async run(store) {
      const account = written(accountWith(1));
      assert.equal(await store.replace(account, 1), false);
      assert.equal(await store.find(account.id), undefined);
    },
  },
  {
    title: 'lets one of two hundred parallel replacements through per revision',
    async run(store) {
      const account = written(accountWith(1));
      await store.create(account);
      const results = await Promise.all(
        Array.from({ length: 200 }, (_, index) =>
          store.replace(written(account, { lastCredit: n(index) }), account.rev),
        ),
      );
      assert.equal(results.filter(Boolean).length, 1);
      const winner = results.indexOf(true);
      assert.equal((await store.find(account.id))?.lastCredit, n(winner));
    },
  },
  {
    title: 'answers what is settled without the journal',
    async run(store) {
      const account = fullAccount();
      await store.create(account);
      const [stored] = await store.findWatermarks([account.id, 'acc_missing']);
      assert.ok(stored !== undefined);
      const view = stored.read();
      assert.equal(view.id, account.id);
      assert.equal(view.leaseNo, account.leaseNo);
      assert.deepEqual(new Map(view.retired), new Map(account.retired));
      assert.equal(view.leases.get(1)?.nextNumber, account.leases.get(1)?.nextNumber);
    },
  },
  {
    title: 'lists the journals that were written last until a time, the oldest first',
    async run(store) {
      const left = fullAccount();
      for (const id of ['acc_c', 'acc_a', 'acc_b']) await store.create({ ...left, id });
      await store.create({ ...left, id: 'acc_old', updatedAtMs: NOON - 5 });
      await store.create({ ...left, id: 'acc_busy', updatedAtMs: NOON + 1 });
      await store.create({ ...left, id: 'acc_trimmed', journal: [] });
      const first = await store.listJournals(NOON, { after: undefined, limit: 2 });
      assert.deepEqual(first, [
        { accountId: 'acc_old', atMs: NOON - 5 },
        { accountId: 'acc_a', atMs: NOON },
      ]);
      const next = await store.listJournals(NOON, { after: first.at(-1), limit: 5 });
      assert.deepEqual(
        next.map(({ accountId }) => accountId),
        ['acc_b', 'acc_c'],
      );
      assert.deepEqual(await store.listJournals(NOON - 6, { after: undefined, limit: 2 }), []);
    },
  },
  {
    title: 'lists expired leases until they are swept, and swept ones until they close',
    async run(store) {
      const open = written(withLease(accountWith(1_000)));
      await store.create(open);
      const page = { after: undefined, limit: 10 };
      const listed = [{ accountId: open.id, atMs: EXPIRED }];
      assert.deepEqual(await store.listExpired(EXPIRED - 1, page), []);
      assert.deepEqual(await store.listExpired(EXPIRED, page), listed);
      assert.deepEqual(await store.listSwept(page), []);
      const swept = written(sweptNow(open), { rev: 2 });
      await store.replace(swept, 1);
      assert.deepEqual(await store.listExpired(EXPIRED, page), []);
      assert.deepEqual(await store.listSwept(page), listed);
      const { account } = settleRecords(swept, [closeRecord()], EXPIRED, DEFAULT_ACCOUNT_BOUNDS);
      await store.replace(written(account, { rev: 3 }), 2);
      assert.deepEqual(await store.listSwept(page), []);
    },
  },
  {
    title: 'lists expired leases page by page, none twice and none never, also of one time',
    async run(store) {
      for (const id of ['acc_d', 'acc_b', 'acc_a', 'acc_c']) {
        await store.create(written(withLease(accountWith(1_000, id))));
      }
      const seen: string[] = [];
      let after: DatedAccount | undefined;
      for (;;) {
        const found = await store.listExpired(EXPIRED, { after, limit: 1 });
        after = found.at(-1);
        if (after === undefined) break;
        seen.push(after.accountId);
      }
      assert.deepEqual(seen, ['acc_a', 'acc_b', 'acc_c', 'acc_d']);
    },
  },
  {
    title: 'lists the accounts that a spool holds leases of',
    async run(store) {
      for (const id of ['acc_a', 'acc_b', 'acc_c']) {
        const holder = id === 'acc_b' ? 'spl_other' : HOLDER;
        await store.create(written(withLease(accountWith(1_000, id), { holder })));
      }
      const page = { after: undefined, limit: 10 };
      assert.deepEqual(await store.listHeldBy(HOLDER, page), ['acc_a', 'acc_c']);
      assert.deepEqual(await store.listHeldBy(HOLDER, { after: 'acc_a', limit: 10 }), ['acc_c']);
      assert.deepEqual(await store.listHeldBy('spl_none', page), []);
    },
  },
  {
    title: 'lists every account in order',
    async run(store) {
      for (const id of ['acc_c', 'acc_a', 'acc_b']) await store.create(written(accountWith(1, id)));
      assert.deepEqual(await store.listIds({ after: undefined, limit: 2 }), ['acc_a', 'acc_b']);
      assert.deepEqual(await store.listIds({ after: 'acc_b', limit: 2 }), ['acc_c']);
    },
  },
];

const CREDIT: LedgerEntry = {
  kind: 'credit',
  accountId: 'acc_1',
  seq: 1,
  amount: n(2n ** 63n - 1n),
  atMs: NOON,
  creditId: 'acc_1:one',
  note: 'top-up',
};

export const ADJUSTMENT: GrantEntry = {
  kind: 'adjustment',
  accountId: 'acc_1',
  seq: 2,
  amount: n(-5),
  atMs: NOON,
  creditId: 'acc_1:adjustment:one',
  note: 'credited twice',
};

const CREDIT_NOTICE = {
  kind: 'notice',
  noticeSeq: 1,
  atMs: NOON,
  notice: { type: 'balance.exhausted', available: n(0) },
} as const;

/** A ledger of one credit and `count` charges. */
export function ledgerOf(accountId: string, count: number): readonly LedgerEntry[] {
  const charge = entriesOf(fullAccount().journal)[0];
  if (charge?.kind !== 'charge') throw new Error('the full account has a charge');
  const charges = Array.from({ length: count }, (_, index) => ({
    ...charge,
    accountId,
    seq: index + 2,
    record: { ...charge.record, accountId, requestId: `req_${String(index).padStart(4, '0')}` },
  }));
  return [{ ...CREDIT, accountId }, ...charges];
}

/** What a ledger store promises. */
export const LEDGER_STORE_CONTRACT: readonly ContractCase<LedgerStore>[] = [
  {
    title: 'answers entries exactly as they were written, in both directions',
    async run(store) {
      const entries = ledgerOf('acc_1', 20);
      await store.insert(entries);
      await store.insert(ledgerOf('acc_2', 3));
      assert.deepEqual(await store.listAfter('acc_1', 0, 100), entries);
      assert.deepEqual(await store.listAfter('acc_1', 5, 2), entries.slice(5, 7));
      const downwards = [...entries].reverse();
      assert.deepEqual(await store.listBefore('acc_1', 22, 100), downwards);
      assert.deepEqual(await store.listBefore('acc_1', 10, 3), downwards.slice(12, 15));
    },
  },
  {
    title: 'reads entries by their places, those that exist',
    async run(store) {
      const entries = ledgerOf('acc_1', 3);
      await store.insert(entries);
      const places = [2, 3, 99].map((seq) => ({ accountId: 'acc_1', seq }));
      const found = [...(await store.find(places))].sort((a, b) => a.seq - b.seq);
      assert.deepEqual(found, entries.slice(1, 3));
      assert.deepEqual(await store.find([{ accountId: 'acc_2', seq: 1 }]), []);
    },
  },
  {
    title: 'takes the same entries again, alone and among new ones',
    async run(store) {
      const entries = ledgerOf('acc_1', 5);
      await store.insert(entries.slice(0, 3));
      await store.insert(entries);
      await store.insert([...entries].reverse());
      assert.deepEqual(await store.listAfter('acc_1', 0, 100), entries);
    },
  },
  {
    title: 'takes the same entries from several instances at once',
    async run(store) {
      const entries = ledgerOf('acc_1', 50);
      await Promise.all(Array.from({ length: 10 }, () => store.insert(entries)));
      assert.deepEqual(await store.listAfter('acc_1', 0, 100), entries);
    },
  },
  {
    title: 'refuses another entry in a place that is taken, and keeps the first',
    async run(store) {
      await store.insert([CREDIT]);
      await assert.rejects(store.insert([{ ...CREDIT, amount: n(5) }]), /another entry/);
      assert.deepEqual(await store.listAfter('acc_1', 0, 100), [CREDIT]);
    },
  },
  {
    title: 'finds charges by request and credits by id, within their account only',
    async run(store) {
      const entries = ledgerOf('acc_1', 3);
      await store.insert(entries);
      assert.deepEqual(await store.findCharge('acc_1', 'req_0001'), entries[2]);
      assert.equal(await store.findCharge('acc_2', 'req_0001'), undefined);
      assert.equal(await store.findCharge('acc_1', 'req_none'), undefined);
      assert.deepEqual(await store.findGrant('acc_1', 'acc_1:one'), entries[0]);
      assert.equal(await store.findGrant('acc_2', 'acc_1:one'), undefined);
      assert.equal(await store.findGrant('acc_1', 'acc_1:two'), undefined);
    },
  },
  {
    title: 'answers adjustments with their sign, and finds them by id and nowhere else',
    async run(store) {
      const entries = [CREDIT, ADJUSTMENT, { ...ADJUSTMENT, seq: 3, accountId: 'acc_2' }];
      await store.insert(entries);
      await store.insert(entries);
      assert.deepEqual(await store.listAfter('acc_1', 0, 100), entries.slice(0, 2));
      assert.deepEqual(await store.findGrant('acc_1', 'acc_1:adjustment:one'), ADJUSTMENT);
      assert.equal(await store.findGrant('acc_3', 'acc_1:adjustment:one'), undefined);
      assert.deepEqual(await store.findGrant('acc_1', 'acc_1:one'), CREDIT);
      await assert.rejects(store.insert([{ ...ADJUSTMENT, amount: n(5) }]), /another entry/);
    },
  },
  {
    title: 'names the requests of an account in order, each as often as it stands there',
    async run(store) {
      const entries = ledgerOf('acc_1', 3);
      const last = entries.at(-1);
      if (last === undefined) throw new Error('the ledger has entries');
      await store.insert([...entries, { ...last, seq: 5 }]);
      await store.insert(ledgerOf('acc_2', 2));
      const ids: string[] = [];
      for await (const id of store.requestIds('acc_1')) ids.push(id);
      assert.deepEqual(ids, ['req_0000', 'req_0001', 'req_0002', 'req_0002']);
      const some: string[] = [];
      const among = ['req_0002', 'req_0000', 'req_none'];
      for await (const id of store.requestIds('acc_1', among)) some.push(id);
      assert.deepEqual(some, ['req_0000', 'req_0002', 'req_0002']);
    },
  },
];

/** What an outbox promises. */
export const OUTBOX_STORE_CONTRACT: readonly ContractCase<OutboxStore>[] = [
  {
    title: 'answers batches as they were added, by account and by number within it',
    async run(store) {
      const { journal } = fullAccount();
      const batches = [
        toOutboxBatch('acc_b', journal),
        toOutboxBatch('acc_a', [{ ...CREDIT_NOTICE, no: 10 }]),
        toOutboxBatch('acc_a', [{ ...CREDIT_NOTICE, no: 9 }]),
      ];
      await store.insert(batches);
      const first = await store.list({ after: undefined, limit: 2, messagesMax: 100 });
      assert.deepEqual(
        first.map((stored) => stored.read()),
        [batches[2], batches[1]],
      );
      const rest = await store.list({ after: first.at(-1)?.id, limit: 2, messagesMax: 100 });
      assert.deepEqual(
        rest.map((stored) => stored.read()),
        [batches[0]],
      );
    },
  },
  {
    title: 'ends a page with the batch by which it has items enough',
    async run(store) {
      const items = [9, 10, 11].map((no) => ({ ...CREDIT_NOTICE, no }));
      await store.insert(['acc_a', 'acc_b', 'acc_c'].map((id) => toOutboxBatch(id, items)));
      const first = await store.list({ after: undefined, limit: 10, messagesMax: 4 });
      assert.deepEqual(
        first.map(({ id, messageCount }) => [id.slice(0, 5), messageCount]),
        [
          ['acc_a', 3],
          ['acc_b', 3],
        ],
      );
      const rest = await store.list({ after: first.at(-1)?.id, limit: 10, messagesMax: 4 });
      assert.deepEqual(
        rest.map(({ id }) => id.slice(0, 5)),
        ['acc_c'],
      );
    },
  },
  {
    title: 'takes the same batch again, alone and among new ones',
    async run(store) {
      const batches = ['acc_a', 'acc_b'].map((id) => toOutboxBatch(id, fullAccount().journal));
      await store.insert(batches.slice(0, 1));
      await store.insert(batches);
      const found = await store.list({ after: undefined, limit: 10, messagesMax: 100 });
      assert.deepEqual(
        found.map(({ id }) => id),
        batches.map(({ id }) => id),
      );
    },
  },
  {
    title: 'removes what was published, and minds no repetition',
    async run(store) {
      const batches = ['acc_a', 'acc_b'].map((id) => toOutboxBatch(id, fullAccount().journal));
      await store.insert(batches);
      const ids = batches.slice(0, 1).map(({ id }) => id);
      await store.remove(ids);
      await store.remove(ids);
      const found = await store.list({ after: undefined, limit: 10, messagesMax: 100 });
      assert.deepEqual(
        found.map(({ id }) => id),
        batches.slice(1).map(({ id }) => id),
      );
    },
  },
];

function claimOf(id: string, changes: Partial<OwnedClaim> = {}): OwnedClaim {
  const common = { accountId: 'acc_1', amount: n(5), note: 'paid', claimedAtMs: NOON };
  return { id, ...common, actorId: undefined, ...changes };
}

const readAll = (found: readonly StoredClaim[]) => found.map((stored) => stored.read());

/** What a store of claims promises. */
export const CLAIM_STORE_CONTRACT: readonly ContractCase<ClaimStore>[] = [
  {
    title: 'keeps the first claim under an id and answers it to everybody',
    async run(store) {
      const asked = ['acc_1', 'acc_2', 'acc_3'].map((accountId) =>
        claimOf('code:1', { accountId }),
      );
      const kept = await Promise.all(
        // Who asks again because nobody can say it yet is answered in the end.
        asked.map((claim) => store.keep(claim).catch(() => store.keep(claim))),
      );
      for (const one of kept) assert.deepEqual(one, kept[0]);
      assert.deepEqual(readAll(await store.find(['code:1', 'code:2'])), [kept[0]]);
    },
  },
  {
    title: 'lists what is open until it is closed, and nothing that nobody may have',
    async run(store) {
      const page = { after: undefined, limit: 10 };
      await store.keep(claimOf('topup:shop:b'));
      await store.keep(claimOf('topup:shop:a', { claimedAtMs: NOON - 1 }));
      await store.keep(claimOf('topup:shop:c', { claimedAtMs: NOON + 1 }));
      await store.keep({ ...claimOf('code:1'), accountId: undefined });
      const first = await store.listOpen(NOON, { after: undefined, limit: 1 });
      assert.deepEqual(readAll(first), [claimOf('topup:shop:a', { claimedAtMs: NOON - 1 })]);
      assert.equal(first[0]?.accountId, claimOf('topup:shop:a').accountId);
      const rest = await store.listOpen(NOON, { after: 'topup:shop:a', limit: 10 });
      assert.deepEqual(readAll(rest), [claimOf('topup:shop:b')]);
      await store.close('topup:shop:a');
      await store.close('topup:shop:b');
      assert.deepEqual(await store.listOpen(NOON, page), []);
      assert.equal((await store.find(['topup:shop:a'])).length, 1);
    },
  },
];
