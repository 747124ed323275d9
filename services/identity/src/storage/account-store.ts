import type { MongoStore } from '@tollgate/mongo';
import mongoose from 'mongoose';
import {
  type Account,
  type AccountStatus,
  type AccountTerms,
  NO_OWN_TERMS,
} from '../domain/account';
import { type AccountEvent, accountEventChangesPrincipals } from '../domain/events';
import type { AccountStore } from '../domain/ports';
import { createAccountNames, nameIdOf } from './account-names';
import { COLLECTIONS, defineDocuments, defined, toUpdate } from './document-model';
import { createOutboxStore, type OutboxMarks } from './outbox-store';

interface AccountDocument extends OutboxMarks {
  readonly _id: string;
  readonly name: string;
  readonly plan: string;
  readonly status: AccountStatus;
  /** Absent in documents of versions before groups were granted to accounts. */
  readonly groups?: readonly string[];
  /** Absent in documents of versions before accounts had terms of their own. */
  readonly terms?: AccountTerms;
  readonly importRef?: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly rev: number;
  readonly outbox: readonly AccountEvent[];
}

const OPTIONAL = ['importRef', 'outboxPending'] as const;

export function createAccountStore(store: MongoStore): AccountStore {
  const accounts = defineDocuments<AccountDocument>(store, COLLECTIONS.accounts, {
    name: String,
    plan: String,
    status: String,
    groups: { type: [String], default: undefined },
    terms: { type: Object, default: undefined },
    importRef: String,
    createdAt: Date,
    updatedAt: Date,
    rev: Number,
    outbox: [{ type: Object, _id: false }],
    outboxPending: Boolean,
    gatewaysPending: Boolean,
  });

  const names = createAccountNames(store);

  /** Sorted by name; leaves out accounts that were renamed since. */
  const findNamed = async (
    named: readonly { readonly _id: string; readonly accountId: string }[],
    status: AccountStatus | undefined,
  ): Promise<readonly Account[]> => {
    const ids = named.map(({ accountId }) => accountId);
    const filter = { _id: mongoose.trusted({ $in: ids }), ...ofStatus(status) };
    const found = await accounts.list(filter);
    const byName = new Map(found.map(fromDocument).map((one) => [nameIdOf(one), one]));
    return named.flatMap(({ _id }) => byName.get(_id) ?? []);
  };

  const findOne = async (filter: Partial<AccountDocument>): Promise<Account | undefined> => {
    const found = await accounts.find(filter);
    return found && fromDocument(found);
  };

  return {
    ...createOutboxStore(accounts, fromDocument),
    async insert(account) {
      await names.add(account);
      return accounts.insert(toDocument(account));
    },
    find: (id) => findOne({ _id: id }),
    findByImportRef: (importRef) => findOne({ importRef }),
    async update(next) {
      await names.add(next);
      const update = toUpdate({ ...toDocument(next) }, OPTIONAL);
      return accounts.update({ _id: next.id, rev: next.rev - 1 }, update);
    },
    async remove(id) {
      const account = await findOne({ _id: id });
      await accounts.remove({ _id: id });
      if (account !== undefined) await names.remove(account);
    },
    async list({ limit, beforeId }, status) {
      const before = beforeId === undefined ? {} : { _id: mongoose.trusted({ $lt: beforeId }) };
      const filter = { ...ofStatus(status), ...before };
      const found = await accounts.list(filter, { sort: { _id: -1 }, limit: limit + 1 });
      return found.map(fromDocument);
    },
    async listErasing({ after, limit }) {
      const page = after === undefined ? {} : { _id: mongoose.trusted({ $gt: after }) };
      const found = await accounts.list(
        { status: 'erasing', ...page },
        { sort: { _id: 1 }, limit },
      );
      return found.map(fromDocument);
    },
    async searchByName({ prefix, after, limit, status }) {
      const found: Account[] = [];
      let last = after && nameIdOf(after);
      for (;;) {
        const named = await names.list({ prefix, after: last, limit });
        found.push(...(await findNamed(named, status)));
        last = named.at(-1)?._id;
        // Names that accounts have no more left places for others.
        if (named.length < limit || found.length >= limit) return found.slice(0, limit);
      }
    },
  };
}

function ofStatus(status: AccountStatus | undefined): { readonly status?: AccountStatus } {
  return status === undefined ? {} : { status };
}

function toDocument(account: Account): AccountDocument {
  const { id, createdAt, updatedAt, outbox, ...rest } = account;
  const pending = outbox.length > 0 ? (true as const) : undefined;
  const changed = outbox.some(accountEventChangesPrincipals) ? (true as const) : undefined;
  return defined({
    ...rest,
    _id: id,
    createdAt: new Date(createdAt),
    updatedAt: new Date(updatedAt),
    outbox,
    outboxPending: pending,
    gatewaysPending: changed,
  });
}

function fromDocument(document: AccountDocument): Account {
  const { _id, createdAt, updatedAt, importRef, groups, terms, ...others } = document;
  const { outboxPending, gatewaysPending, ...rest } = others;
  return {
    ...rest,
    id: _id,
    importRef,
    groups: groups ?? [],
    terms: terms ?? NO_OWN_TERMS,
    createdAt: createdAt.getTime(),
    updatedAt: updatedAt.getTime(),
  };
}
