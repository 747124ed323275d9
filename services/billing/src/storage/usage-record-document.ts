import {
  createUsageRecordCodec,
  nano,
  toSnakeCase,
  type UnitPrices,
  type UsageRecord,
} from '@tollgate/core';

/** A usage record within a journal item or a ledger entry: names in snake case, amounts Int64. */
export interface UsageRecordDocument {
  readonly request_id: string;
}

interface PricesDocument {
  readonly prompt: bigint;
  readonly completion: bigint;
  readonly cached_prompt: bigint;
  /** Absent is that of the prompt. */
  readonly cache_write?: bigint;
}

const codec = createUsageRecordCodec({
  nameOf: toSnakeCase,
  absent: null,
  write(value, { type }) {
    if (type !== 'prices') return value;
    const { prompt, completion, cachedPrompt, cacheWrite } = value as UnitPrices;
    const document: PricesDocument = { prompt, completion, cached_prompt: cachedPrompt };
    return cacheWrite === undefined ? document : { ...document, cache_write: cacheWrite };
  },
  read(value, { type }) {
    if (type === 'amount') return nano(value as bigint);
    if (type !== 'prices') return value;
    const { prompt, completion, cached_prompt, cache_write } = value as PricesDocument;
    return {
      prompt: nano(prompt),
      completion: nano(completion),
      cachedPrompt: nano(cached_prompt),
      ...(cache_write === undefined ? {} : { cacheWrite: nano(cache_write) }),
    };
  },
});

export function toUsageRecordDocument(record: UsageRecord): UsageRecordDocument {
  // The table of the record's members made these.
  return codec.write(record) as unknown as UsageRecordDocument;
}

export function fromUsageRecordDocument(document: UsageRecordDocument): UsageRecord {
  return codec.read('usage', document) as UsageRecord;
}
