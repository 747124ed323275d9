/** From this amount on cents are enough; smaller ones are shown by their first two digits. */
const SMALLEST_CENT_NANO = 10_000_000n;
const FRACTION_DIGITS = 9;

/**
 * An exact decimal amount such as `"12.345"` for people: `$12.35`, and `$0.0021` below one cent.
 * Never passes through a floating-point number.
 */
export function formatMoney(
  amount: string,
  currency: string,
  roundingMode: 'halfExpand' | 'floor' = 'halfExpand',
): string {
  const nano = toNano(amount);
  const isTiny = nano !== 0n && abs(nano) < SMALLEST_CENT_NANO;
  const format = new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency,
    roundingMode,
    ...(isTiny
      ? { maximumSignificantDigits: 2 }
      : { minimumFractionDigits: 2, maximumFractionDigits: 2 }),
  });
  return write(format, amount);
}

const LISTED_DIGITS = 4;
/** The least amount of which so many decimals tell two digits. */
const LISTED_LEAST_NANO = 1_000_000n;

/**
 * An amount of a list, where amounts are compared by their width: each has four decimals, `$0.0060`
 * beside `$0.0113`, and anything below `$0.0010` its first two digits, `$0.000065`. Zero is `$0.00`
 * as everywhere.
 */
export function formatListed(amount: string, currency: string): string {
  if (abs(toNano(amount)) < LISTED_LEAST_NANO) return formatMoney(amount, currency);
  const format = new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency,
    minimumFractionDigits: LISTED_DIGITS,
    maximumFractionDigits: LISTED_DIGITS,
  });
  return write(format, amount);
}

/** A price with each of its digits: `$0.025`. What is multiplied is not rounded. */
export function formatPrice(amount: string, currency: string): string {
  const format = new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency,
    minimumFractionDigits: 2,
    maximumFractionDigits: FRACTION_DIGITS,
  });
  return write(format, amount);
}

/**
 * An amount that somebody has left: never more than there is, so that $10.00 less a part of a
 * cent is $9.99.
 */
export function formatBalance(amount: string, currency: string): string {
  return formatMoney(amount, currency, 'floor');
}

/** The text digit by digit, as no number holds it, with the minus that is as wide as a plus. */
function write(format: Intl.NumberFormat, amount: string): string {
  return format.format(amount as `${number}`).replace('-', '−');
}

/** `$`, or the code of a currency that has no sign. */
export function symbolOf(currency: string): string {
  const parts = new Intl.NumberFormat('en-US', { style: 'currency', currency }).formatToParts(0);
  return parts.find(({ type }) => type === 'currency')?.value ?? currency;
}

/** The amount as the API wrote it, with its currency: what a short form stands for. */
export function exactMoney(amount: string, currency: string): string {
  return `${amount} ${currency}`;
}

/** Nano-units of a decimal amount; exact. */
export function toNano(amount: string): bigint {
  const match = /^(-?)(\d+)(?:\.(\d{1,9}))?$/.exec(amount);
  if (match === null) throw new Error(`no amount: ${amount}`);
  const [, sign, whole = '0', fraction = ''] = match;
  const nano = BigInt(whole + fraction.padEnd(FRACTION_DIGITS, '0'));
  return sign === '-' ? -nano : nano;
}

/** A decimal amount with at least two fraction digits and no needless zeros. */
export function fromNano(nano: bigint): string {
  const digits = abs(nano)
    .toString()
    .padStart(FRACTION_DIGITS + 1, '0');
  const whole = digits.slice(0, -FRACTION_DIGITS);
  const fraction = digits.slice(-FRACTION_DIGITS).replace(/0+$/, '').padEnd(2, '0');
  return `${nano < 0n ? '-' : ''}${whole}.${fraction}`;
}

/** The sum of decimal amounts; exact. */
export function addMoney(amounts: readonly string[]): string {
  return fromNano(amounts.reduce((sum, amount) => sum + toNano(amount), 0n));
}

/** For the height of a bar or the width of a meter, where the last digits do not show. */
export function toApproximate(amount: string): number {
  return Number(amount);
}

function abs(nano: bigint): bigint {
  return nano < 0n ? -nano : nano;
}
