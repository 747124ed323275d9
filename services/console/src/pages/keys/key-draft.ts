import type { ApiKey, KeyChanges, NewKey, Scope } from '../../api/schemas';
import {
  isAmountAboveZero,
  isFuture,
  isName,
  isWholeFrom,
  optional,
} from '../../components/checks';
import {
  byLimit,
  changedFields,
  type LimitsDraft,
  toIsoTime,
  toLimit,
} from '../../components/drafts';

/** A key as the form holds it: texts where the API has numbers, empty where it has null. */
export interface KeyDraft extends LimitsDraft {
  name: string;
  scopes: Scope[];
  models: string[];
  pools: string[];
  allowed_ips: string[];
  /** A time as a date field holds it, in the zone of the viewer. */
  expires_at: string;
  max_budget: string;
  budget_period: string;
  /** `name=value`, one for each line. */
  metadata: string;
}

/** Scopes that somebody who is no operator may give a key. */
export const SCOPES: readonly { readonly scope: Scope; readonly says: string }[] = [
  { scope: 'completions', says: 'ask models, which spends balance' },
  { scope: 'models', says: 'list models and prices' },
  { scope: 'keys', says: 'make, change and revoke keys' },
  { scope: 'billing', says: 'see balance and ledger' },
  { scope: 'stats', says: 'see usage' },
  { scope: 'webhooks', says: 'make and change webhooks' },
];

/** The scopes of most keys. */
export const PRESETS: readonly {
  readonly value: string;
  readonly label: string;
  readonly scopes: readonly Scope[];
}[] = [
  { value: 'application', label: 'Application', scopes: ['completions', 'models'] },
  { value: 'reporting', label: 'Reporting', scopes: ['models', 'billing', 'stats'] },
  { value: 'everything', label: 'Everything', scopes: SCOPES.map(({ scope }) => scope) },
];

const KEY_LIMIT_MAX = 2_000_000_000;
/** A limit of a key only narrows its account's: it is neither `none` nor 0, which terms may be. */
const isKeyLimit = optional(isWholeFrom(1, KEY_LIMIT_MAX));

export const EMPTY_KEY: KeyDraft = {
  name: '',
  scopes: ['completions', 'models'],
  models: [],
  pools: [],
  allowed_ips: [],
  expires_at: '',
  max_budget: '',
  budget_period: '',
  ...byLimit(() => ''),
  metadata: '',
};

export const KEY_RULES = {
  name: isName,
  scopes: (scopes: readonly Scope[]) => (scopes.length === 0 ? 'At least one' : null),
  expires_at: isFuture,
  max_budget: (value: string, { budget_period }: KeyDraft) =>
    value === '' && budget_period !== ''
      ? 'A period needs a budget'
      : optional(isAmountAboveZero)(value),
  ...byLimit(() => isKeyLimit),
  metadata: (text: string) =>
    text.split('\n').every((line) => line.trim() === '' || line.indexOf('=') > 0)
      ? null
      : 'One name=value on each line',
};

/** The body that makes the key; what was left empty is left out. */
export function toNewKey(draft: KeyDraft): NewKey {
  const { models, pools, allowed_ips, ...settings } = toSettings(draft);
  const lists = Object.entries({ models, pools, allowed_ips }).filter(
    ([, list]) => list.length > 0,
  );
  const set = Object.entries(settings).filter(
    ([name, value]) => value !== null && !(name === 'metadata' && isEmptyObject(value)),
  );
  return { ...Object.fromEntries([...set, ...lists]), name: draft.name.trim() };
}

/** The fields that differ from the key as it is: a name that is not there stays as it is. */
export function toKeyChanges(draft: KeyDraft, key: ApiKey): KeyChanges {
  return changedFields(toSettings(toKeyDraft(key)), toSettings(draft));
}

export function toKeyDraft(key: ApiKey): KeyDraft {
  return {
    name: key.name,
    scopes: key.scopes,
    models: key.models,
    pools: key.pools,
    allowed_ips: key.allowed_ips,
    expires_at: key.expires_at === null ? '' : toLocalInput(key.expires_at),
    max_budget: key.max_budget ?? '',
    budget_period: key.budget_period ?? '',
    ...byLimit((limit) => String(key[limit] ?? '')),
    metadata: Object.entries(key.metadata)
      .map(([name, value]) => `${name}=${value}`)
      .join('\n'),
  };
}

function toSettings(draft: KeyDraft) {
  return {
    name: draft.name.trim(),
    scopes: draft.scopes,
    models: draft.models,
    pools: draft.pools,
    allowed_ips: draft.allowed_ips,
    expires_at: toIsoTime(draft.expires_at),
    max_budget: draft.max_budget.trim() === '' ? null : draft.max_budget.trim(),
    budget_period: (draft.budget_period || null) as ApiKey['budget_period'],
    ...byLimit((limit) => toLimit(draft[limit]) ?? null),
    metadata: toMetadata(draft.metadata),
  };
}

function toMetadata(text: string): Record<string, string> {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return Object.fromEntries(
    lines.map((line) => {
      const at = line.indexOf('=');
      return [line.slice(0, at).trim(), line.slice(at + 1).trim()];
    }),
  );
}

function isEmptyObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

/** A date field wants local time without a zone, to the minute. */
function toLocalInput(iso: string): string {
  const date = new Date(iso);
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}
