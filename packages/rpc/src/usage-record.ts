import {
  type Budget,
  createUsageRecordCodec,
  type NumberedRecord,
  parseNano,
  type UsageRecord,
} from '@tollgate/core';
import type { billingV1 } from '@tollgate/protos';
import { fromProtoPeriod, toProtoPeriod } from './wire-values';

/** Absent values have no member, or an empty text. Prices and the budget have their own forms. */
const codec = createUsageRecordCodec({
  nameOf: (member) => member,
  absent: undefined,
  write(value, { type }) {
    if (type === 'prices' || type === 'budget') return undefined;
    return type === 'amount' ? String(value) : value;
  },
  read(value, { type, optional }) {
    if (type === 'budget') {
      const { limit, period } = value as billingV1.KeyBudget__Output;
      return { limit: parseNano(limit), period: fromProtoPeriod(period) } satisfies Budget;
    }
    if (type === 'amount') return parseNano(String(value));
    return optional === true && value === '' ? undefined : value;
  },
});

/** A record for SettleUsage, or as ListLedger and GetReceipt show it. */
export function toProtoUsageRecord(record: NumberedRecord): billingV1.UsageRecord {
  const written = codec.write(record);
  if (record.kind === 'close') return { ...written, kind: 'USAGE_KIND_CLOSE' };
  const { keyId, prices, budget } = record;
  return {
    ...written,
    kind: 'USAGE_KIND_USAGE',
    promptPrice: prices.prompt.toString(),
    completionPrice: prices.completion.toString(),
    cachedPromptPrice: prices.cachedPrompt.toString(),
    ...(prices.cacheWrite === undefined ? {} : { cacheWritePrice: prices.cacheWrite.toString() }),
    ...(budget === undefined
      ? {}
      : {
          budget: { keyId, limit: budget.limit.toString(), period: toProtoPeriod(budget.period) },
        }),
  };
}

/** Missing members are not checked here: billing validates with `hasReadableTexts`. */
export function fromProtoUsageRecord(proto: billingV1.UsageRecord__Output): NumberedRecord {
  if (proto.kind === 'USAGE_KIND_CLOSE') return codec.read('close', proto);
  const prices = {
    prompt: parseNano(proto.promptPrice),
    completion: parseNano(proto.completionPrice),
    cachedPrompt: parseNano(proto.cachedPromptPrice),
    ...(proto.cacheWritePrice === undefined
      ? {}
      : { cacheWrite: parseNano(proto.cacheWritePrice) }),
  };
  return { ...codec.read('usage', proto), prices } as UsageRecord;
}
