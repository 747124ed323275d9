import { documentsOf, type MongoStore } from '@tollgate/mongo';
import { COLLECTIONS } from './collections';

interface CurrencyDocument {
  readonly _id: string;
  readonly currency: string;
}

/** There is one for the whole deployment. */
const ID = 'deployment';

const currencyOf = (mongo: MongoStore) =>
  documentsOf<CurrencyDocument>(mongo, COLLECTIONS.currency);

/** The currency of all amounts in the store; undefined before the first start. */
export async function findCurrency(mongo: MongoStore): Promise<string | undefined> {
  const found = await currencyOf(mongo).find({ _id: ID });
  return found?.currency;
}

/**
 * Keeps at the first start in which currency all amounts are, because no amount says it by itself.
 * Throws when a later start names another one: it would show every balance in that currency, with the
 * same number.
 */
export async function requireSameCurrency(mongo: MongoStore, configured: string): Promise<void> {
  await currencyOf(mongo).upsert({ _id: ID }, { $setOnInsert: { currency: configured } });
  const stored = await findCurrency(mongo);
  if (stored === configured) return;
  throw new Error(
    `TOLLGATE_CURRENCY is ${configured}, and all amounts in this store are in ${stored}: set it to that`,
  );
}
