import { BlockList, isIP } from 'node:net';
import {
  type BudgetPeriod,
  eachLimit,
  fromIsoTime,
  invalid,
  isObject,
  KEY_BOUNDS,
  type LimitName,
  type Nano,
  nano,
  parseDisplayName,
  parseJson,
  type Scope,
  toSnakeCase,
} from '@tollgate/core';
import { DEFAULT_SCOPES, parseScopes } from './actor';

/** The part of a key that its owner may set. Empty lists mean "no restriction". */
export interface KeySettings extends Readonly<Record<LimitName, number | undefined>> {
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly models: readonly string[];
  readonly pools: readonly string[];
  /** CIDR blocks. */
  readonly allowedIps: readonly string[];
  /** Milliseconds since the epoch; the name is that of answers that are kept. */
  readonly expiresAt: number | undefined;
  readonly maxBudget: Nano | undefined;
  readonly budgetPeriod: BudgetPeriod;
  readonly disabled: boolean;
  readonly metadata: Readonly<Record<string, string>>;
}

type Asked<Members> = { readonly [Name in keyof Members]?: Members[Name] | undefined };

/**
 * Settings as they arrive: absent fields keep their value, the marked values clear one, and -1
 * clears a limit.
 */
export interface KeySettingsInput
  extends Asked<Omit<KeySettings, 'scopes' | 'expiresAt' | 'maxBudget' | 'metadata'>> {
  readonly scopes?: readonly string[] | undefined;
  /** ISO-8601; empty text clears. */
  readonly expiresAt?: string | undefined;
  /** Nano-units; -1 clears. */
  readonly maxBudget?: bigint | undefined;
  /** A JSON object of strings. */
  readonly metadataJson?: string | undefined;
}

/** A key that nothing but its scopes limits. */
export const UNRESTRICTED: Omit<KeySettings, 'name' | 'scopes' | 'metadata'> = {
  models: [],
  pools: [],
  allowedIps: [],
  expiresAt: undefined,
  maxBudget: undefined,
  budgetPeriod: 'none',
  ...eachLimit(() => undefined),
  disabled: false,
};

/** The defaults of a new key, before its creator's settings are applied. */
export function defaultKeySettings(scopes: readonly Scope[] = DEFAULT_SCOPES): KeySettings {
  return { name: 'API key', scopes, ...UNRESTRICTED, metadata: {} };
}

/** Checks the input and applies it to the present settings; refuses with the field at fault. */
export function applySettings(
  present: KeySettings,
  input: KeySettingsInput,
  now: number,
): KeySettings {
  const { name, scopes, allowedIps, expiresAt, maxBudget, metadataJson } = input;
  const budget = maxBudget === undefined ? present.maxBudget : parseBudget(maxBudget);
  return {
    name: name === undefined ? present.name : parseDisplayName('name', name),
    scopes: scopes === undefined ? present.scopes : parseScopes(scopes),
    models: parseList('models', input.models) ?? present.models,
    pools: parseList('pools', input.pools) ?? present.pools,
    allowedIps: allowedIps === undefined ? present.allowedIps : parseBlocks(allowedIps),
    expiresAt: expiresAt === undefined ? present.expiresAt : parseExpiry(expiresAt, now),
    maxBudget: budget,
    budgetPeriod: parsePeriod(budget, input, present),
    ...eachLimit((name) => parseLimit(name, input, present)),
    disabled: input.disabled ?? present.disabled,
    metadata: metadataJson === undefined ? present.metadata : parseMetadata(metadataJson),
  };
}

/** Whether two settings say the same. */
export function areSameSettings(one: KeySettings, other: KeySettings): boolean {
  const names = Object.keys(one) as (keyof KeySettings)[];
  return names.every((name) => comparable(one[name]) === comparable(other[name]));
}

/** The API's name of a setting. */
export function fieldNameOf(setting: keyof KeySettings): string {
  return setting === 'disabled' ? 'status' : toSnakeCase(setting);
}

function comparable(value: KeySettings[keyof KeySettings]): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function parseList(
  param: string,
  entries: readonly string[] | undefined,
): readonly string[] | undefined {
  if (entries === undefined) return undefined;
  const unique = [...new Set(entries)];
  if (
    unique.length > KEY_BOUNDS.listLengthMax ||
    !unique.every((entry) => KEY_BOUNDS.listEntry.test(entry))
  ) {
    throw invalid(param, `${param} must be a list of at most ${KEY_BOUNDS.listLengthMax} names.`);
  }
  return unique;
}

function parseBlocks(entries: readonly string[]): readonly string[] {
  const blocks = new Set<string>();
  for (const entry of entries) {
    const block = parseCidr(entry);
    if (block === undefined || blocks.size >= KEY_BOUNDS.listLengthMax) {
      throw invalid(
        'allowed_ips',
        `allowed_ips must be a list of at most ${KEY_BOUNDS.listLengthMax} addresses or CIDR blocks; ` +
          'IPv4 is written as IPv4, not as ::ffff:10.0.0.0/104.',
      );
    }
    blocks.add(block);
  }
  return [...blocks];
}

const ISO_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/;

function parseExpiry(text: string, now: number): number | undefined {
  if (text === '') return undefined;
  const at = ISO_TIME.test(text) ? fromIsoTime(text) : undefined;
  if (at === undefined) throw invalid('expires_at', 'expires_at must be an ISO-8601 time.');
  if (at <= now) throw invalid('expires_at', 'expires_at must be in the future.');
  return at;
}

function parseBudget(value: bigint): Nano | undefined {
  if (value === -1n) return undefined;
  if (value <= 0n) throw invalid('max_budget', 'max_budget must be greater than 0.');
  return nano(value);
}

function parsePeriod(
  budget: Nano | undefined,
  input: KeySettingsInput,
  present: KeySettings,
): BudgetPeriod {
  const asked = input.budgetPeriod;
  if (budget === undefined) {
    if (asked === undefined || asked === 'none') return 'none';
    throw invalid('budget_period', 'budget_period needs a max_budget.');
  }
  return asked ?? present.budgetPeriod;
}

function parseLimit(
  limit: LimitName,
  input: KeySettingsInput,
  present: KeySettings,
): number | undefined {
  const value = input[limit];
  if (value === undefined) return present[limit];
  if (value === -1) return undefined;
  if (!Number.isInteger(value) || value < 1 || value > KEY_BOUNDS.limitMax) {
    const param = fieldNameOf(limit);
    throw invalid(param, `${param} must be an integer from 1 to ${KEY_BOUNDS.limitMax}.`);
  }
  return value;
}

function parseMetadata(json: string): Readonly<Record<string, string>> {
  const refusal = () =>
    invalid(
      'metadata',
      `metadata must be an object of at most ${KEY_BOUNDS.metadataMembersMax} strings ` +
        `(names up to ${KEY_BOUNDS.metadataNameLengthMax}, values up to ${KEY_BOUNDS.metadataValueLengthMax} ` +
        'characters).',
    );
  const value = parseJson(json === '' ? '{}' : json);
  if (!isObject(value)) throw refusal();
  const entries = Object.entries(value);
  const result: [string, string][] = [];
  for (const [key, entry] of entries) {
    const keyFits = key.length > 0 && key.length <= KEY_BOUNDS.metadataNameLengthMax;
    // A name such as __proto__ would vanish or do harm once the object is copied around.
    if (!keyFits || key.startsWith('__') || key.startsWith('$') || key.includes('.')) {
      throw refusal();
    }
    if (typeof entry !== 'string' || entry.length > KEY_BOUNDS.metadataValueLengthMax)
      throw refusal();
    result.push([key, entry]);
  }
  if (result.length > KEY_BOUNDS.metadataMembersMax) throw refusal();
  return Object.fromEntries(result);
}

/** IPv4 written as IPv6, as a socket for both shows it. */
const MAPPED_IPV4 = new BlockList();
MAPPED_IPV4.addSubnet('::ffff:0:0', 96, 'ipv6');

/**
 * A CIDR block, or a single address made into one; undefined for anything else. IPv4 has one
 * spelling: mapped into IPv6 it would compare as another block than the same one in IPv4.
 */
export function parseCidr(text: string): string | undefined {
  const [address = '', prefix, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0 || address.includes('%')) return undefined;
  if (version === 6 && MAPPED_IPV4.check(address, 'ipv6')) return undefined;
  const bits = version === 4 ? 32 : 128;
  if (prefix === undefined) return `${address}/${bits}`;
  if (!/^(0|[1-9]\d{0,2})$/.test(prefix) || Number(prefix) > bits) return undefined;
  return `${address}/${prefix}`;
}

/** Whether every address of the second block is in the first; both as `parseCidr` answers them. */
export function coversCidr(whole: string, part: string): boolean {
  const [network = '', bits] = whole.split('/');
  const [address = '', partBits] = part.split('/');
  const version = isIP(network);
  if (version !== isIP(address) || Number(partBits) < Number(bits)) return false;
  const family = version === 4 ? 'ipv4' : 'ipv6';
  const block = new BlockList();
  block.addSubnet(network, Number(bits), family);
  return block.check(address, family);
}
