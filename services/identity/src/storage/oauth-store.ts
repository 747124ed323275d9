import type { MongoStore } from '@tollgate/mongo';
import type { OAuthCode, OAuthState } from '../domain/oauth';
import type { OAuthStore } from '../domain/ports';
import { COLLECTIONS, defineDocuments } from './document-model';

interface StateDocument extends Omit<OAuthState, 'digest' | 'expiresAtMs'> {
  readonly _id: string;
  readonly expiresAt: Date;
}

interface CodeDocument extends Omit<OAuthCode, 'digest' | 'expiresAtMs'> {
  readonly _id: string;
  readonly expiresAt: Date;
}

export function createOAuthStore(store: MongoStore): OAuthStore {
  const states = defineDocuments<StateDocument>(store, COLLECTIONS.oauthStates, {
    providerId: String,
    redirectTo: String,
    callbackUrl: String,
    bindingDigest: String,
    verifierDigest: String,
    expiresAt: Date,
  });
  const codes = defineDocuments<CodeDocument>(store, COLLECTIONS.oauthCodes, {
    userId: String,
    bindingDigest: String,
    expiresAt: Date,
  });
  return {
    insertState: ({ digest, expiresAtMs, ...rest }) =>
      states.add({ ...rest, _id: digest, expiresAt: new Date(expiresAtMs) }),
    async takeState(digest) {
      const taken = await states.take({ _id: digest });
      if (taken === undefined) return undefined;
      const { _id, expiresAt, ...rest } = taken;
      return { ...rest, digest: _id, expiresAtMs: expiresAt.getTime() };
    },
    insertCode: ({ digest, expiresAtMs, ...rest }) =>
      codes.add({ ...rest, _id: digest, expiresAt: new Date(expiresAtMs) }),
    async takeCode(digest) {
      const taken = await codes.take({ _id: digest });
      if (taken === undefined) return undefined;
      const { _id, expiresAt, ...rest } = taken;
      return { ...rest, digest: _id, expiresAtMs: expiresAt.getTime() };
    },
  };
}
