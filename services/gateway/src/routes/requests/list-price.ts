import { fromIsoTime, toIsoTime } from '@tollgate/core';
import type { billingV1, identityV1, routingV1 } from '@tollgate/protos';
import { z } from 'zod';
import { toPercent } from '../../money/amounts';
import { priceFields, toPrices } from '../../money/prices';
import {
  changeSchema,
  fieldsIn,
  findDiscountSet,
  readName,
  readWrites,
} from '../audit-log/changes';
import type { PrincipalContext, Services } from '../operation';
import { isoTime, named } from '../payloads/values';

type UsageRecord = billingV1.UsageRecord__Output;
type Pricing = routingV1.Pricing__Output;

/** What everybody pays for the model of a request, beside what its account paid. */
export const listPriceSchema = named('ListPriceOfRequest', {
  ...priceFields,
  discount: z.string().meta({
    example: '-10.00',
    description: 'Per cent that the account paid less; below 0 a mark-up.',
  }),
  discount_set: changeSchema
    .nullable()
    .describe('Who gave the account that discount, and when; null where the log does not tell.'),
  since: isoTime.describe('When this version of the prices came into force.'),
  changed_by: z
    .string()
    .nullable()
    .describe(
      'The email of who changed them then, or an id; null of the first version, and where the audit ' +
        'log does not tell.',
    ),
  before: z.object(priceFields).nullable().describe('The version before; null of the first one.'),
});

type ListPrice = z.output<typeof listPriceSchema>;

/**
 * Undefined where routing does not know the version any more. What an account pays on a channel of
 * its own has no list.
 */
export async function readListPrice(
  record: UsageRecord,
  viewer: PrincipalContext,
  services: Services,
): Promise<ListPrice | undefined> {
  if (record.ownChannel) return undefined;
  const { models } = await services.routing.listModels({ versionsOf: record.model });
  const versions = models.find(({ name }) => name === record.model)?.priceVersions ?? [];
  const at = versions.findIndex(({ version }) => version === record.priceVersion);
  const [list, before] = [versions[at], versions[at - 1]];
  if (list === undefined) return undefined;
  const changed = before && (await findChange(record.model, list, viewer, services));
  const discount = discountOf(record, list);
  const { accountId, startedAt: end } = record;
  const isUsual = Number(discount) === 0;
  return {
    ...toPrices(list),
    discount,
    discount_set: isUsual ? null : await findDiscountSet({ accountId, end }, viewer, services),
    since: list.effectiveAt,
    changed_by: changed ? await readName(changed, services) : null,
    before: before === undefined ? null : toPrices(before),
  };
}

const WHOLE = 10_000n;

/** The discount by the dearest price, which is the least rounded. */
function discountOf(record: UsageRecord, list: Pricing): string {
  const pairs = [
    [BigInt(list.prompt), BigInt(record.promptPrice)],
    [BigInt(list.completion), BigInt(record.completionPrice)],
  ] as const;
  const [listed, paid] = pairs[0][0] >= pairs[1][0] ? pairs[0] : pairs[1];
  if (listed === 0n || listed === paid) return '0.00';
  const off = listed - paid;
  const share = ((off < 0n ? -off : off) * WHOLE + listed / 2n) / listed;
  return toPercent(off < 0n ? -share : share);
}

/** An entry of the log is begun ahead of its write. */
const BEGUN_AHEAD_MS = 60_000;
const CLOCKS_DIFFER_MS = 5_000;

const WRITES_MODEL = /^(?:PATCH|PUT) /;

/** The write that brought a version of a model's prices. */
async function findChange(
  model: string,
  list: Pricing & { readonly effectiveAt: string },
  viewer: PrincipalContext,
  services: Services,
): Promise<identityV1.AuditEntry__Output | undefined> {
  const sinceMs = fromIsoTime(list.effectiveAt);
  if (sinceMs === undefined) return undefined;
  const sought = {
    resourceId: model,
    operations: WRITES_MODEL,
    start: toIsoTime(sinceMs - BEGUN_AHEAD_MS),
    end: toIsoTime(sinceMs + CLOCKS_DIFFER_MS),
  };
  const { prompt, completion } = toPrices(list);
  for await (const entry of readWrites(sought, viewer, services)) {
    const [before, after] = [pricesIn(entry.beforeJson), pricesIn(entry.afterJson)];
    const isThis = after?.prompt === prompt && after.completion === completion;
    if (isThis && JSON.stringify(before) !== JSON.stringify(after)) return entry;
  }
  return undefined;
}

interface Prices {
  readonly prompt?: string;
  readonly completion?: string;
}

/** The prices of a model as an entry has it. */
function pricesIn(json: string): Prices | undefined {
  return (fieldsIn(json) as { readonly pricing?: Prices }).pricing;
}
