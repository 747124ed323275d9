import { type Nano, parseAmount } from '@tollgate/core';
import type { PriceSettings } from './model';

/**
 * What vendors asked for on 22 November 2026, in US dollars per 1M tokens: prompt, completion, and
 * where they have prices of their own the cached prompt and the writing of the cache. Vendors change
 * their prices, and some have others for long prompts: these are what a model begins with, and the
 * operator checks them. A model that is not here begins with a default and is marked so.
 */
const LIST_PRICES: Readonly<Record<string, readonly string[]>> = {
  'gpt-3.5-turbo': ['0.50', '1.50'],
  'gpt-4-turbo': ['10', '30'],
  'gpt-4o': ['2.50', '10', '1.25'],
  'gpt-4o-mini': ['0.15', '0.60', '0.075'],
  'gpt-4.1': ['2', '8', '0.50'],
  'gpt-4.1-mini': ['0.40', '1.60', '0.10'],
  'gpt-4.1-nano': ['0.10', '0.40', '0.025'],
  'gpt-5': ['1.25', '10', '0.125'],
  'gpt-5-mini': ['0.25', '2', '0.025'],
  'gpt-5-nano': ['0.05', '0.40', '0.005'],
  o1: ['15', '60', '7.50'],
  o3: ['2', '8', '0.50'],
  'o3-mini': ['1.10', '4.40', '0.55'],
  'o4-mini': ['1.10', '4.40', '0.275'],
  'text-embedding-3-small': ['0.02', '0'],
  'text-embedding-3-large': ['0.13', '0'],
  'text-embedding-ada-002': ['0.10', '0'],
  'claude-haiku-4-5': ['1', '5', '0.10', '1.25'],
  'claude-sonnet-4-5': ['3', '15', '0.30', '3.75'],
  'claude-sonnet-4-6': ['3', '15', '0.30', '3.75'],
  'claude-opus-4-1': ['15', '75', '1.50', '18.75'],
  'claude-opus-4-5': ['5', '25', '0.50', '6.25'],
  'claude-opus-4-6': ['5', '25', '0.50', '6.25'],
  'gemini-2.0-flash': ['0.10', '0.40'],
  'gemini-2.5-flash-lite': ['0.10', '0.40'],
  'gemini-2.5-flash': ['0.30', '2.50'],
  'gemini-2.5-pro': ['1.25', '10'],
};

/** The vendor's price of the model; undefined when it is not known in this currency. */
export function listPriceOf(name: string, currency: string): PriceSettings | undefined {
  if (currency !== 'USD' || !Object.hasOwn(LIST_PRICES, name)) return undefined;
  const [prompt, completion, cachedPrompt, cacheWrite] = (LIST_PRICES[name] ?? []).map(toNano);
  if (prompt === undefined || completion === undefined) return undefined;
  return {
    ...{ prompt, completion, cachedPrompt: cachedPrompt ?? prompt },
    ...(cacheWrite === undefined ? {} : { cacheWrite }),
    source: 'list',
  };
}

function toNano(text: string): Nano {
  const amount = parseAmount(text);
  if (amount === undefined) throw new Error(`${text} is no price`);
  return amount;
}
