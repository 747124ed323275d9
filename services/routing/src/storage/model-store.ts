import type { Logger, ModelKind } from '@tollgate/core';
import {
  AMOUNT,
  AS_IS,
  codecOf,
  documentsOf,
  eachOf,
  type MongoStore,
  type RecordForm,
} from '@tollgate/mongo';
import type { Model, PriceVersion } from '../domain/model';
import type { ModelStore } from '../domain/ports';
import { COLLECTIONS } from './collections';
import { readEach } from './read-each';

/** Amounts lie as Int64. */
const PRICE = {
  version: AS_IS,
  prompt: AMOUNT,
  completion: AMOUNT,
  cachedPrompt: AMOUNT,
  cacheWrite: AMOUNT,
  effectiveAtMs: AS_IS,
  source: AS_IS,
} satisfies RecordForm<PriceVersion>;

const PRICES = eachOf(codecOf<PriceVersion, typeof PRICE>(PRICE));

interface ModelDocument extends Omit<Model, 'kind' | 'name' | 'prices'> {
  /** Absent in entries from before there were others. */
  readonly kind?: ModelKind;
  readonly _id: string;
  readonly prices: ReturnType<typeof PRICES.encode>;
  /** The newest price's version: the guard of a replacement. */
  readonly priceVersion: number;
  /** The id of the effect that made it, under its released name; absent without an effect. */
  readonly creationId?: string;
}

/**
 * The catalogue in the collection `models`. A list leaves out what cannot be read, such as a price
 * that was mended by hand into a fraction: one document must not keep the others from being served.
 */
export function createModelStore(mongo: MongoStore, logger: Logger): ModelStore {
  const documents = documentsOf<ModelDocument>(mongo, COLLECTIONS.models);
  const one = async (filter: Partial<ModelDocument>): Promise<Model | undefined> => {
    const found = await documents.find(filter);
    return found && fromDocument(found);
  };
  return {
    find: (name) => one({ _id: name }),
    findMadeBy: (name, effectId) => one({ _id: name, creationId: effectId }),
    async listAll() {
      const found = await documents.list({}, { sort: { _id: 1 } });
      return readEach(found, fromDocument, (model, error) => {
        logger.error({ model, error }, 'a model is left out: its document cannot be read');
      });
    },
    async findNames(names) {
      const found = await documents.list({ _id: { $in: [...names] } }, { projection: { _id: 1 } });
      return found.map(({ _id }) => _id);
    },
    count: () => documents.count({}),
    insert(model, effectId) {
      const creation = effectId === undefined ? {} : { creationId: effectId };
      return documents.insert({ ...toDocument(model), ...creation });
    },
    update(model, expectedPriceVersion) {
      const { _id, ...$set } = toDocument(model);
      return documents.update({ _id, priceVersion: expectedPriceVersion }, { $set });
    },
    remove: (name) => documents.remove({ _id: name }),
  };
}

function toDocument(model: Model): ModelDocument {
  const { name, prices, ...fields } = model;
  const priceVersion = prices.at(-1)?.version ?? 0;
  return { _id: name, ...fields, prices: PRICES.encode(prices), priceVersion };
}

function fromDocument(document: ModelDocument): Model {
  const { _id, priceVersion: _, creationId: __, kind = 'chat', prices, ...fields } = document;
  return { ...fields, kind, name: _id, prices: PRICES.decode(prices) };
}
