import { AS_IS, dated, ID, type MongoStore, type RecordForm, recordsOf } from '@tollgate/mongo';
import type { RefreshTokenStore, SessionStore } from '../domain/ports';
import type { RefreshToken, Session } from '../domain/session';
import { COLLECTIONS } from './collections';

const SESSION = {
  id: ID,
  userId: AS_IS,
  createdAtMs: dated('createdAt'),
  expiresAtMs: dated('expiresAt'),
  endedAtMs: dated('endedAt'),
} satisfies RecordForm<Session>;

const REFRESH_TOKEN = {
  digest: ID,
  sessionId: AS_IS,
  userId: AS_IS,
  expiresAtMs: dated('expiresAt'),
  usedAtMs: dated('usedAt'),
} satisfies RecordForm<RefreshToken>;

export function createSessionStore(mongo: MongoStore): SessionStore {
  const sessions = recordsOf<Session, typeof SESSION>(mongo, COLLECTIONS.sessions, SESSION);
  return {
    insert: sessions.insertOrReject,
    find: (id) => sessions.find({ _id: id }),
    async end(id, userId, now) {
      const open = { _id: id, userId, endedAt: { $exists: false } };
      await sessions.update(open, { $set: { endedAt: new Date(now) } });
    },
    async endAll(userId, now) {
      await sessions.updateMany(
        { userId, endedAt: { $exists: false } },
        { $set: { endedAt: new Date(now) } },
      );
    },
  };
}

export function createRefreshTokenStore(mongo: MongoStore): RefreshTokenStore {
  const tokens = recordsOf<RefreshToken, typeof REFRESH_TOKEN>(
    mongo,
    COLLECTIONS.refreshTokens,
    REFRESH_TOKEN,
  );
  return {
    insert: tokens.insertOrReject,
    find: (digest) => tokens.find({ _id: digest }),
    use: (digest, now) =>
      tokens.update(
        { _id: digest, usedAt: { $exists: false } },
        { $set: { usedAt: new Date(now) } },
      ),
  };
}
