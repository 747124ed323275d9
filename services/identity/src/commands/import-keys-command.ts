import { createSecretKey } from 'node:crypto';
import { createCleanupStack, type ServiceHost } from '@tollgate/lifecycle';
import { openMongo, runMigrations } from '@tollgate/mongo';
import type { ImportKeysConfig } from '../config';
import { createKeyDigester } from '../domain/key-digest';
import { createImportKeys, type ImportReport } from '../operations/import-keys';
import { createAccountStore } from '../storage/account-store';
import { createApiKeyStore } from '../storage/api-key-store';
import { identityMigrations } from '../storage/migrations';

/** Imports legacy keys from JSON Lines; needs nothing but the store. */
export async function importKeys(
  config: ImportKeysConfig,
  host: ServiceHost,
  lines: AsyncIterable<string>,
): Promise<ImportReport> {
  const { clock, logger } = host;
  const cleanup = createCleanupStack();
  const mongo = openMongo({ uri: config.mongodbUri, appName: 'tollgate-import-keys', logger });
  cleanup.defer('document store', () => mongo.close());
  try {
    await mongo.connect();
    await runMigrations(mongo, 'identity', identityMigrations, logger);
    const run = createImportKeys({
      clock,
      digester: createKeyDigester(config.keyPeppers.map(({ secret }) => createSecretKey(secret))),
      accounts: createAccountStore(mongo),
      keys: createApiKeyStore(mongo),
    });
    return await run(lines);
  } finally {
    await cleanup.run();
  }
}
