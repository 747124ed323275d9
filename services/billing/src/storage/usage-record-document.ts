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
}

const codec = createUsageRecordCodec({
  nameOf: toSnakeCase,
  absent: null,
  write(value, { type }) {
    if (type !== 'prices') return value;
    const { prompt, completion, cachedPrompt } = value as UnitPrices;
    return { prompt, completion, cached_prompt: cachedPrompt } satisfies PricesDocument;
  },
  read(value, { type }) {
    if (type === 'amount') return nano(value as bigint);
    if (type !== 'prices') return value;
    const { prompt, completion, cached_prompt } = value as PricesDocument;
    const cachedPrompt = nano(cached_prompt);
    return { prompt: nano(prompt), completion: nano(completion), cachedPrompt };
  },
});

export function toUsageRecordDocument(record: UsageRecord): UsageRecordDocument {
  // The table of the record's members made these.
  return codec.write(record) as unknown as UsageRecordDocument;
}

export function fromUsageRecordDocument(document: UsageRecordDocument): UsageRecord {
  return codec.read('usage', document) as UsageRecord;
}
