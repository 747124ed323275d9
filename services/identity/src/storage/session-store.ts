import { type MongoStore, withDatabaseFailures } from '@tollgate/mongo';
import type { RefreshTokenStore, SessionStore } from '../domain/ports';
import type { RefreshToken, Session } from '../domain/session';
import { COLLECTIONS, defineDocuments, defined, fromDate, toDate } from './document-model';

interface SessionDocument {
  readonly _id: string;
  readonly userId: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly endedAt?: Date;
}

interface RefreshTokenDocument {
  /** The token's digest. */
  readonly _id: string;
  readonly sessionId: string;
  readonly userId: string;
  readonly expiresAt: Date;
  readonly usedAt?: Date;
}

export function createSessionStore(store: MongoStore): SessionStore {
  const sessions = defineDocuments<SessionDocument>(store, COLLECTIONS.sessions, {
    userId: String,
    createdAt: Date,
    expiresAt: Date,
    endedAt: Date,
  });
  return {
    insert: (session) => sessions.add(toSessionDocument(session)),
    async find(id) {
      const found = await sessions.find({ _id: id });
      if (found === undefined) return undefined;
      const { userId, createdAt, expiresAt, endedAt } = found;
      return {
        id,
        userId,
        createdAtMs: createdAt.getTime(),
        expiresAtMs: expiresAt.getTime(),
        endedAtMs: fromDate(endedAt),
      };
    },
    async end(id, userId, at) {
      const open = { _id: id, userId, endedAt: null };
      await sessions.update(open, { $set: { endedAt: new Date(at) } });
    },
    async endAll(userId, at) {
      const open = { userId, endedAt: null };
      await withDatabaseFailures(() =>
        sessions.model.updateMany(open, { $set: { endedAt: new Date(at) } }),
      );
    },
  };
}

export function createRefreshTokenStore(store: MongoStore): RefreshTokenStore {
  const tokens = defineDocuments<RefreshTokenDocument>(store, COLLECTIONS.refreshTokens, {
    sessionId: String,
    userId: String,
    expiresAt: Date,
    usedAt: Date,
  });
  return {
    insert: (token) => tokens.add(toTokenDocument(token)),
    async find(digest) {
      const found = await tokens.find({ _id: digest });
      if (found === undefined) return undefined;
      const { sessionId, userId, expiresAt, usedAt } = found;
      return {
        digest,
        sessionId,
        userId,
        expiresAtMs: expiresAt.getTime(),
        usedAtMs: fromDate(usedAt),
      };
    },
    use: (digest, at) =>
      tokens.update({ _id: digest, usedAt: null }, { $set: { usedAt: new Date(at) } }),
  };
}

function toSessionDocument(session: Session): SessionDocument {
  const { id, userId, createdAtMs, expiresAtMs, endedAtMs } = session;
  return defined({
    _id: id,
    userId,
    createdAt: new Date(createdAtMs),
    expiresAt: new Date(expiresAtMs),
    endedAt: toDate(endedAtMs),
  });
}

function toTokenDocument(token: RefreshToken): RefreshTokenDocument {
  const { digest, sessionId, userId, expiresAtMs, usedAtMs } = token;
  return defined({
    _id: digest,
    sessionId,
    userId,
    expiresAt: new Date(expiresAtMs),
    usedAt: toDate(usedAtMs),
  });
}
