import {
  AS_IS,
  dated,
  ID,
  type MongoStore,
  type RecordForm,
  recordsOf,
  type SealedMember,
} from '@tollgate/mongo';
import { type SigningKeyRecord, signingKeySealName } from '../domain/access-token';
import type { SigningKeyStore } from '../domain/ports';
import { COLLECTIONS } from './collections';

/** Where the private keys are that sign access tokens. */
export const SEALED_PRIVATE_KEYS: SealedMember = {
  collection: COLLECTIONS.signingKeys,
  member: 'sealedPrivateKey',
  recordOf: signingKeySealName,
};

const KEY = {
  kid: ID,
  publicKeyPem: AS_IS,
  sealedPrivateKey: AS_IS,
  generation: AS_IS,
  createdAtMs: dated('createdAt'),
  activeFromAtMs: dated('activeFrom'),
} satisfies RecordForm<SigningKeyRecord>;

export function createSigningKeyStore(mongo: MongoStore): SigningKeyStore {
  const keys = recordsOf<SigningKeyRecord, typeof KEY>(mongo, COLLECTIONS.signingKeys, KEY);
  return {
    insert: keys.insert,
    list: () => keys.list({}, { sort: { generation: 1 } }),
    async remove(kid) {
      await keys.remove({ _id: kid });
    },
  };
}
