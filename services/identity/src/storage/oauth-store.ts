import { type MongoStore, withDatabaseFailures } from '@tollgate/mongo';
import type { OAuthCode, OAuthState } from '../domain/oauth';
import type { OAuthStore } from '../domain/ports';
import { COLLECTIONS, defineModel } from './document-model';

interface StateDocument extends Omit<OAuthState, 'digest' | 'expiresAtMs'> {
  readonly _id: string;
  readonly expiresAt: Date;
}

interface CodeDocument extends Omit<OAuthCode, 'digest' | 'expiresAtMs'> {
  readonly _id: string;
  readonly expiresAt: Date;
}

export function createOAuthStore(store: MongoStore): OAuthStore {
  const states = defineModel<StateDocument>(store, COLLECTIONS.oauthStates, {
    providerId: String,
    redirectTo: String,
    callbackUrl: String,
    bindingDigest: String,
    verifierDigest: String,
    expiresAt: Date,
  });
  const codes = defineModel<CodeDocument>(store, COLLECTIONS.oauthCodes, {
    userId: String,
    bindingDigest: String,
    expiresAt: Date,
  });
  return {
    async insertState({ digest, expiresAtMs, ...rest }) {
      const document = { ...rest, _id: digest, expiresAt: new Date(expiresAtMs) };
      await withDatabaseFailures(() => states.create([document]));
    },
    async takeState(digest) {
      const taken = await withDatabaseFailures(() =>
        states.findOneAndDelete({ _id: digest }).lean<StateDocument>(),
      );
      if (taken === null) return undefined;
      const { _id, expiresAt, ...rest } = taken;
      return { ...rest, digest: _id, expiresAtMs: expiresAt.getTime() };
    },
    async insertCode({ digest, expiresAtMs, ...rest }) {
      const document = { ...rest, _id: digest, expiresAt: new Date(expiresAtMs) };
      await withDatabaseFailures(() => codes.create([document]));
    },
    async takeCode(digest) {
      const taken = await withDatabaseFailures(() =>
        codes.findOneAndDelete({ _id: digest }).lean<CodeDocument>(),
      );
      if (taken === null) return undefined;
      const { _id, expiresAt, ...rest } = taken;
      return { ...rest, digest: _id, expiresAtMs: expiresAt.getTime() };
    },
  };
}
