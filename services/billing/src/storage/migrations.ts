import type { Migration } from '@tollgate/mongo';
import { DEFAULT_PLANS } from '../domain/plans';
import { COLLECTIONS } from './collections';
import { type PlanDocument, toPlanDocument } from './plan-store';

/** The schema of billing, oldest step first. A released step is never changed. */
export const billingMigrations: readonly Migration[] = [
  {
    name: '0001-indexes',
    async up(connection) {
      const accounts = connection.collection(COLLECTIONS.accounts);
      for (const member of ['journal_at', 'sweep_at', 'swept_at']) {
        // The order of a page is the index's own, so that no page sorts all that it may be of. A
        // sparse index would hold every account, because every one has an id.
        await accounts.createIndex(
          { [member]: 1, _id: 1 },
          { partialFilterExpression: { [member]: { $exists: true } }, name: `${member}_id` },
        );
      }
      await accounts.createIndex({ holders: 1 }, { sparse: true, name: 'holders' });
      const ledger = connection.collection(COLLECTIONS.ledger);
      await ledger.createIndex({ account_id: 1, seq: 1 }, { unique: true, name: 'account_seq' });
      await ledger.createIndex(
        { account_id: 1, 'record.request_id': 1 },
        { name: 'account_request' },
      );
      await ledger.createIndex(
        { account_id: 1, credit_id: 1 },
        { partialFilterExpression: { kind: 'credit' }, name: 'account_credit' },
      );
    },
  },
  {
    name: '0002-quarantine',
    async up(connection) {
      // A fault that goes on is written again each minute: an older record is of the past.
      await connection
        .collection(COLLECTIONS.quarantine)
        .createIndex({ failed_at: 1 }, { expireAfterSeconds: 600, name: 'expire' });
    },
  },
  {
    name: '0004-charges-of-every-account',
    async up(connection) {
      // An operator knows a request by its id alone; in this order charges are also listed.
      await connection
        .collection(COLLECTIONS.ledger)
        .createIndex(
          { 'record.request_id': 1 },
          { partialFilterExpression: { kind: 'charge' }, name: 'request' },
        );
    },
  },
  {
    name: '0005-claims-and-codes',
    async up(connection) {
      // Few claims are open, and every one is kept for ever.
      await connection
        .collection(COLLECTIONS.claims)
        .createIndex(
          { open: 1, _id: 1 },
          { partialFilterExpression: { open: { $exists: true } }, name: 'open' },
        );
      const codes = connection.collection(COLLECTIONS.codes);
      await codes.createIndex({ digest: 1 }, { unique: true, name: 'digest' });
      await codes.createIndex({ batch_id: 1, _id: 1 }, { name: 'batch' });
      await connection
        .collection(COLLECTIONS.idempotency)
        .createIndex({ expiresAt: 1 }, { expireAfterSeconds: 0, name: 'expire' });
    },
  },
  {
    name: '0006-plans',
    async up(connection) {
      const plans = connection.collection<PlanDocument>(COLLECTIONS.plans);
      for (const plan of DEFAULT_PLANS) {
        const { _id, ...document } = toPlanDocument(plan, 'specification');
        await plans.updateOne({ _id }, { $setOnInsert: document }, { upsert: true });
      }
    },
  },
  {
    name: '0007-answers',
    async up(connection) {
      const answers = connection.collection(COLLECTIONS.answers);
      await answers.createIndex({ request_id: 1 }, { unique: true, name: 'request' });
      await answers.createIndex({ expires_at: 1 }, { expireAfterSeconds: 0, name: 'expire' });
      const bytes = connection.collection(COLLECTIONS.answerBytes);
      await bytes.createIndex({ account_id: 1, hour: 1 }, { name: 'account_hour' });
      await bytes.createIndex({ expires_at: 1 }, { expireAfterSeconds: 0, name: 'expire' });
    },
  },
  {
    name: '0008-statements',
    async up(connection) {
      await connection
        .collection(COLLECTIONS.statements)
        .createIndex({ account_id: 1, month: -1 }, { name: 'account_month' });
    },
  },
  {
    name: '0009-oldest-audit-marks',
    async up(connection) {
      await connection
        .collection(COLLECTIONS.auditMarks)
        .createIndex({ whole_at: 1 }, { name: 'whole_at' });
    },
  },
  {
    name: '0010-erasures',
    async up(connection) {
      await connection
        .collection(COLLECTIONS.erasures)
        .createIndex(
          { open: 1, _id: 1 },
          { partialFilterExpression: { open: { $exists: true } }, name: 'open' },
        );
      await connection
        .collection(COLLECTIONS.answers)
        .createIndex({ account_id: 1 }, { name: 'account' });
      await connection
        .collection(COLLECTIONS.claims)
        .createIndex({ account_id: 1 }, { sparse: true, name: 'account' });
    },
  },
  {
    name: '0011-codes-by-their-end',
    async up(connection) {
      // A customer who is told that a code gives nothing reads its last characters out.
      await connection
        .collection(COLLECTIONS.codes)
        .createIndex({ preview: 1, _id: 1 }, { name: 'preview' });
    },
  },
];
