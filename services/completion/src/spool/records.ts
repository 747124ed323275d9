import { nano, parseNano, type UnitPrices } from '@tollgate/core';
import { BYTES_PER_TOKEN_USUAL } from '../domain/prompt-size';
import type {
  CloseEntry,
  KeyBudget,
  LeaseRef,
  Progress,
  RequestFacts,
  Settlement,
  UsageEntry,
} from '../domain/usage-record';
import { encodeTextFrame } from './frame';

/** First record of every segment. */
export interface HeaderRecord {
  readonly kind: 'header';
  readonly spoolId: string;
  readonly epoch: number;
  readonly segment: number;
}

/** A lease that this spool drew from or may draw from, and the highest number it has given. */
export interface LeaseRecord extends LeaseRef {
  readonly kind: 'lease';
  readonly epoch: number;
  readonly highest: number;
  readonly closed: boolean;
}

/** A request that may cost something from now on. A second one for a request replaces the first. */
export interface BeginRecord {
  readonly kind: 'begin';
  readonly facts: RequestFacts;
}

/** What was delivered so far. */
export interface CheckpointRecord {
  readonly kind: 'checkpoint';
  readonly requestId: string;
  readonly progress: Progress;
}

/** A finished request with its number. */
export interface EndRecord {
  readonly kind: 'end';
  readonly entry: UsageEntry;
}

/** A lease's last number. */
export interface CloseRecord {
  readonly kind: 'close';
  readonly entry: CloseEntry;
}

/** What billing reported as settled; saves a restart from sending it all again. */
export interface SettledRecord {
  readonly kind: 'settled';
  readonly settlements: readonly Settlement[];
}

/** Everything that a spool file can hold. */
export type SpoolRecord =
  | HeaderRecord
  | LeaseRecord
  | BeginRecord
  | CheckpointRecord
  | EndRecord
  | CloseRecord
  | SettledRecord;

/** The record as a frame for the file: JSON with amounts as decimal strings. */
export function encodeRecord(record: SpoolRecord): Buffer {
  return encodeTextFrame(JSON.stringify(toStored(record)));
}

/** A numbered record as a frame. */
export function encodeEntry(entry: UsageEntry | CloseEntry): Buffer {
  return encodeRecord(entry.kind === 'close' ? { kind: 'close', entry } : { kind: 'end', entry });
}

// Amounts are put in place by hand: with a replacer function JSON costs three times as much.
function toStored(record: SpoolRecord): unknown {
  if (record.kind === 'begin') return { kind: 'begin', facts: toStoredFacts(record.facts) };
  if (record.kind !== 'end') return record;
  const { entry } = record;
  return {
    kind: 'end',
    entry: {
      ...toStoredFacts(entry),
      amount: entry.amount.toString(),
      vendorAbsorbed: entry.vendorAbsorbed.toString(),
    },
  };
}

function toStoredFacts<Facts extends RequestFacts>(facts: Facts) {
  const { budget, prices } = facts;
  return {
    ...facts,
    drawn: facts.drawn.toString(),
    prices: {
      prompt: prices.prompt.toString(),
      completion: prices.completion.toString(),
      cachedPrompt: prices.cachedPrompt.toString(),
    },
    budget: budget === null ? null : { ...budget, limit: budget.limit.toString() },
  };
}

/** Reads a payload; undefined when it is no record of ours (damage, or a newer version's kind). */
export function decodeRecord(payload: Buffer): SpoolRecord | undefined {
  let value: unknown;
  try {
    value = JSON.parse(payload.toString());
    return restoreAmounts(value as SpoolRecord);
  } catch {
    return undefined;
  }
}

function restoreAmounts(record: SpoolRecord): SpoolRecord | undefined {
  switch (record.kind) {
    case 'header':
    case 'lease':
    case 'close':
    case 'settled':
      return record;
    case 'checkpoint':
      return { ...record, progress: restoreProgress(record.progress) };
    case 'begin':
      return { kind: 'begin', facts: restoreFacts(record.facts) };
    case 'end':
      return {
        kind: 'end',
        entry: {
          ...record.entry,
          ...restoreFacts(record.entry),
          amount: amountOf(record.entry.amount),
          vendorAbsorbed: amountOf(record.entry.vendorAbsorbed),
        },
      };
    default:
      return undefined;
  }
}

/** A checkpoint as the version before wrote it. */
interface CountedProgress {
  readonly promptTokens: number;
  readonly completionTokens: number;
}

function restoreProgress(progress: Progress | (Progress & CountedProgress)): Progress {
  if (!('completionTokens' in progress)) return progress;
  const { promptTokens, completionTokens, ...rest } = progress;
  return {
    ...rest,
    promptBytes: promptTokens * BYTES_PER_TOKEN_USUAL,
    deliveredBytes: completionTokens * BYTES_PER_TOKEN_USUAL,
  };
}

function restoreFacts(facts: RequestFacts): RequestFacts {
  return {
    ...facts,
    drawn: amountOf(facts.drawn),
    prices: restorePrices(facts.prices),
    budget: restoreBudget(facts.budget),
  };
}

function restorePrices(prices: UnitPrices): UnitPrices {
  return {
    prompt: amountOf(prices.prompt),
    completion: amountOf(prices.completion),
    cachedPrompt: amountOf(prices.cachedPrompt),
  };
}

function restoreBudget(budget: KeyBudget | null): KeyBudget | null {
  return budget === null ? null : { ...budget, limit: amountOf(budget.limit) };
}

// JSON holds text where the type says bigint: that is what is put right here.
function amountOf(value: unknown) {
  return typeof value === 'bigint' ? nano(value) : parseNano(String(value));
}
