/**
 * Amounts are integers in nano-units (10^-9 of the deployment's one currency): bigint in code,
 * Int64 in documents, a decimal string on the wire. Floating point never touches money.
 */

declare const brand: unique symbol;
/** An amount in nano-units. */
export type Nano = bigint & { readonly [brand]: 'Nano' };

const NANO_PER_UNIT = 1_000_000_000n;
/** Prices are given per so many tokens. */
export const TOKENS_PER_PRICE_UNIT = 1_000_000n;
const FRACTION_DIGITS_MAX = 9;
const FRACTION_DIGITS_MIN = 2;
/** Largest amount that fits an Int64 document field. */
export const NANO_MAX = 2n ** 63n - 1n;

/** Brands a bigint of nano-units; throws RangeError outside Int64. */
export function nano(value: bigint): Nano {
  if (value > NANO_MAX || value < -NANO_MAX) throw new RangeError(`amount out of range: ${value}`);
  return value as Nano;
}

export const ZERO_NANO: Nano = nano(0n);

/** Parses nano-units written as an integer string (protos and events); throws RangeError. */
export function parseNano(text: string): Nano {
  if (!/^-?\d{1,19}$/.test(text)) throw new RangeError(`not an amount in nano-units: ${text}`);
  return nano(BigInt(text));
}

/** `"10.00"`, `"0.000123"`: two to nine fraction digits, no exponent, no rounding. */
export function formatAmount(amount: Nano): string {
  const negative = amount < 0n;
  const absolute = negative ? -amount : amount;
  const whole = absolute / NANO_PER_UNIT;
  const fraction = (absolute % NANO_PER_UNIT).toString().padStart(FRACTION_DIGITS_MAX, '0');
  const significant = fraction.replace(/0+$/, '').padEnd(FRACTION_DIGITS_MIN, '0');
  return `${negative ? '-' : ''}${whole}.${significant}`;
}

/** Reads a decimal string such as `"10"`, `"10.5"`; undefined when it is none or out of range. */
export function parseAmount(text: string): Nano | undefined {
  const match = /^(-?)(\d{1,10})(?:\.(\d{1,9}))?$/.exec(text);
  if (match === null) return undefined;
  const [, sign, whole = '0', fraction = ''] = match;
  const absolute =
    BigInt(whole) * NANO_PER_UNIT + BigInt(fraction.padEnd(FRACTION_DIGITS_MAX, '0'));
  if (absolute > NANO_MAX) return undefined;
  return nano(sign === '-' ? -absolute : absolute);
}

/** Unit prices of one price version, in nano-units per 1M tokens. */
export interface UnitPrices {
  readonly prompt: Nano;
  readonly completion: Nano;
  readonly cachedPrompt: Nano;
  /** Of what the vendor puts into its cache; absent means as any other part of the prompt. */
  readonly cacheWrite?: Nano | undefined;
}

/**
 * Token counts of one request. Of `prompt` the vendor had `cached` in its cache, and put `cacheWrite`
 * there.
 */
export interface TokenCounts {
  readonly prompt: number;
  readonly completion: number;
  readonly cached: number;
  readonly cacheWrite?: number | undefined;
}

/**
 * The price of the tokens, rounded up once for the whole request. Counts must be integers of at
 * least 0 with `cached` and `cacheWrite` together not above `prompt`; throws RangeError otherwise.
 */
export function priceOf(prices: UnitPrices, tokens: TokenCounts): Nano {
  const { prompt, completion, cached, cacheWrite = 0 } = tokens;
  const negative = prompt < 0 || completion < 0 || cached < 0 || cacheWrite < 0;
  if (negative || cached + cacheWrite > prompt) {
    throw new RangeError('token counts are inconsistent');
  }
  const total =
    BigInt(prompt - cached - cacheWrite) * prices.prompt +
    BigInt(cached) * prices.cachedPrompt +
    BigInt(cacheWrite) * cacheWritePriceOf(prices) +
    BigInt(completion) * prices.completion;
  return nano((total + TOKENS_PER_PRICE_UNIT - 1n) / TOKENS_PER_PRICE_UNIT);
}

/** The amount for the tokens, never above what was reserved for them. */
export function chargeOf(prices: UnitPrices, tokens: TokenCounts, reserved: Nano): Nano {
  return minNano(priceOf(prices, tokens), reserved);
}

/** What tokens cost that the vendor puts into its cache. */
export function cacheWritePriceOf({ cacheWrite, prompt }: UnitPrices): Nano {
  return cacheWrite ?? prompt;
}

/** Everything, in hundredths of a percent. */
const WHOLE = 10_000n;

/**
 * The unit prices less the discount, which is given in hundredths of a percent and is a mark-up
 * below 0, each rounded up to the nano-unit for a million tokens. Whatever
 * is reserved, charged and shown afterwards follows from these prices alone.
 */
export function discountedPrices(prices: UnitPrices, discount: number): UnitPrices {
  if (discount === 0) return prices;
  const share = WHOLE - BigInt(discount);
  const less = (price: Nano) => nano((price * share + WHOLE - 1n) / WHOLE);
  return {
    prompt: less(prices.prompt),
    completion: less(prices.completion),
    cachedPrompt: less(prices.cachedPrompt),
    ...(prices.cacheWrite === undefined ? {} : { cacheWrite: less(prices.cacheWrite) }),
  };
}

/** The smaller of two amounts. */
export function minNano(a: Nano, b: Nano): Nano {
  return a < b ? a : b;
}

/** The larger of two amounts. */
export function maxNano(a: Nano, b: Nano): Nano {
  return a > b ? a : b;
}
