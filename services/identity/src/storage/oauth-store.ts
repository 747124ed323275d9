import { AS_IS, dated, ID, type MongoStore, type RecordForm, recordsOf } from '@tollgate/mongo';
import type { OAuthCode, OAuthState } from '../domain/oauth';
import type { OAuthStore } from '../domain/ports';
import { COLLECTIONS } from './collections';

const STATE = {
  digest: ID,
  providerId: AS_IS,
  redirectTo: AS_IS,
  callbackUrl: AS_IS,
  bindingDigest: AS_IS,
  verifierDigest: AS_IS,
  expiresAtMs: dated('expiresAt'),
} satisfies RecordForm<OAuthState>;

const CODE = {
  digest: ID,
  userId: AS_IS,
  bindingDigest: AS_IS,
  expiresAtMs: dated('expiresAt'),
} satisfies RecordForm<OAuthCode>;

export function createOAuthStore(mongo: MongoStore): OAuthStore {
  const states = recordsOf<OAuthState, typeof STATE>(mongo, COLLECTIONS.oauthStates, STATE);
  const codes = recordsOf<OAuthCode, typeof CODE>(mongo, COLLECTIONS.oauthCodes, CODE);
  return {
    insertState: states.insertOrReject,
    takeState: (digest) => states.take({ _id: digest }),
    insertCode: codes.insertOrReject,
    takeCode: (digest) => codes.take({ _id: digest }),
  };
}
