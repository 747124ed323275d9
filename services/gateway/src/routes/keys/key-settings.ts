import {
  BUDGET_PERIODS,
  eachLimit,
  eachLimitField,
  KEY_BOUNDS,
  LIMIT_FIELDS,
  SCOPES,
  withoutUndefined,
} from '@tollgate/core';
import type { identityV1 } from '@tollgate/protos';
import { toProtoLimit, toProtoPeriod, UNLIMITED } from '@tollgate/rpc';
import { z } from 'zod';
import { fromAmount, positiveAmountText } from '../../money/amounts';
import { displayText, isoTime } from '../payloads/values';

const CIDR_LENGTH_MAX = 49;
/** Names that mean something else to a document store or to a prototype. */
const ODD_NAME = /^__|^\$|\./;

const OCTET = '(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
const IPV4_BLOCK = `${OCTET}(\\.${OCTET}){3}(/(3[0-2]|[12]?\\d))?`;
const WORD = '[0-9a-fA-F]{1,4}';
const IPV6_ADDRESS = `(${WORD}(:${WORD}){7}|${WORD}(:${WORD}){0,5}::(${WORD})?|::(${WORD})?)`;
const CIDR = `^(${IPV4_BLOCK}|${IPV6_ADDRESS}(/(12[0-8]|1[01]\\d|[1-9]?\\d))?)$`;

export const scope = z.enum(SCOPES);
const nameList = z
  .array(z.string().regex(KEY_BOUNDS.listEntry, 'must be a name.'))
  .max(KEY_BOUNDS.listLengthMax);
export const budgetPeriod = z.enum(BUDGET_PERIODS);
/** The rules of a key's settings that no schema can say. */
export const KEY_RULES = {
  expires_at: 'must be in the future',
  budget_period: 'needs a max_budget',
};

export const metadata = z.record(z.string(), z.string().max(KEY_BOUNDS.metadataValueLengthMax));
const settableMetadata = metadata
  .refine(
    (entries) => Object.keys(entries).length <= KEY_BOUNDS.metadataMembersMax,
    'has too many members.',
  )
  .refine(
    (entries) => Object.keys(entries).every(isMetadataName),
    `names must have 1 to ${KEY_BOUNDS.metadataNameLengthMax} characters, no dot, and no $ or __ in front.`,
  )
  .meta({
    maxProperties: KEY_BOUNDS.metadataMembersMax,
    propertyNames: {
      type: 'string',
      minLength: 1,
      maxLength: KEY_BOUNDS.metadataNameLengthMax,
      pattern: '^(?!__|\\$)[^.]*$',
    },
    description:
      `At most ${KEY_BOUNDS.metadataMembersMax} members, their names with 1 to ${KEY_BOUNDS.metadataNameLengthMax} ` +
      'characters, without dots, and without $ or __ in front.',
  });

/** An address or a CIDR block; identity takes more spellings of IPv6 than the documented ones. */
const cidr = z.string().min(2).max(CIDR_LENGTH_MAX).meta({ pattern: CIDR });

const limit = z.int().min(1).max(KEY_BOUNDS.limitMax).nullable().optional();

/** The settings that the owner of a key may change; null clears. */
export const keySettingsSchema = z.strictObject({
  name: displayText.optional(),
  scopes: z.array(scope).min(1).optional(),
  models: nameList.optional(),
  pools: nameList.optional(),
  allowed_ips: z
    .array(cidr)
    .max(KEY_BOUNDS.listLengthMax)
    .optional()
    .describe(
      'Addresses or CIDR blocks; empty means any address. IPv4 is written as IPv4, not mapped ' +
        'into IPv6.',
    ),
  expires_at: isoTime.nullable().optional(),
  max_budget: positiveAmountText.nullable().optional(),
  budget_period: budgetPeriod.nullable().optional(),
  ...eachLimitField(() => limit),
  metadata: settableMetadata.optional(),
});

type KeySettings = z.output<typeof keySettingsSchema>;

function isMetadataName(name: string): boolean {
  return name !== '' && name.length <= KEY_BOUNDS.metadataNameLengthMax && !ODD_NAME.test(name);
}

/** Fields that were left out stay out, so that identity keeps their present value. */
export function toKeySettings(
  settings: KeySettings,
  disabled?: boolean,
): identityV1.ApiKeySettings {
  const list = (values: readonly string[] | undefined) =>
    values === undefined ? null : { values: [...values] };
  return withoutUndefined({
    name: settings.name,
    scopes: list(settings.scopes),
    models: list(settings.models),
    pools: list(settings.pools),
    allowedIps: list(settings.allowed_ips),
    expiresAt: settings.expires_at === null ? '' : settings.expires_at,
    maxBudget: toBudget(settings.max_budget),
    budgetPeriod: toPeriod(settings.budget_period),
    ...eachLimit((name) => toProtoLimit(settings[LIMIT_FIELDS[name]])),
    disabled,
    metadataJson: settings.metadata === undefined ? undefined : JSON.stringify(settings.metadata),
  });
}

function toBudget(budget: string | null | undefined): string | undefined {
  if (budget === undefined) return undefined;
  return budget === null ? String(UNLIMITED) : fromAmount(budget).toString();
}

function toPeriod(value: KeySettings['budget_period']) {
  if (value === undefined) return undefined;
  return toProtoPeriod(value ?? 'none');
}
