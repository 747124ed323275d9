import type { MongoStore, SealedMember } from '@tollgate/mongo';
import { type SigningKeyRecord, signingKeySealName } from '../domain/access-token';
import type { SigningKeyStore } from '../domain/ports';
import { COLLECTIONS, defineDocuments } from './document-model';

interface SigningKeyDocument
  extends Omit<SigningKeyRecord, 'kid' | 'createdAtMs' | 'activeFromMs'> {
  readonly _id: string;
  readonly createdAt: Date;
  readonly activeFrom: Date;
}

/** Where the private keys are that sign access tokens. */
export const SEALED_PRIVATE_KEYS: SealedMember = {
  collection: COLLECTIONS.signingKeys,
  member: 'sealedPrivateKey',
  recordOf: signingKeySealName,
};

export function createSigningKeyStore(store: MongoStore): SigningKeyStore {
  const keys = defineDocuments<SigningKeyDocument>(store, COLLECTIONS.signingKeys, {
    publicKeyPem: String,
    sealedPrivateKey: String,
    generation: Number,
    createdAt: Date,
    activeFrom: Date,
  });
  return {
    insert({ kid, createdAtMs, activeFromMs, ...rest }) {
      const dates = { createdAt: new Date(createdAtMs), activeFrom: new Date(activeFromMs) };
      return keys.insert({ ...rest, ...dates, _id: kid });
    },
    async list() {
      const found = await keys.list({}, { sort: { generation: 1 } });
      return found.map(({ _id, createdAt, activeFrom, ...rest }) => ({
        ...rest,
        kid: _id,
        createdAtMs: createdAt.getTime(),
        activeFromMs: activeFrom.getTime(),
      }));
    },
    remove: (kid) => keys.remove({ _id: kid }),
  };
}
