import { formatCount } from '../format/quantity';
import { NO_LIMIT } from './drafts';

/** Rules of the API that forms apply before they send; each answers what is wrong, or null. */
export type Check = (value: string) => string | null;

const AMOUNT = /^\d{1,10}(\.\d{1,9})?$/;
const SIGNED_AMOUNT = /^-?\d{1,10}(\.\d{1,9})?$/;
const WHOLE = /^\d{1,10}$/;
const NAME_MAX = 100;

export const optional =
  (check: Check): Check =>
  (value) =>
    value.trim() === '' ? null : check(value);

export const isName: Check = (value) => {
  if (value.trim() === '') return 'Give it a name';
  return value.length > NAME_MAX ? `At most ${NAME_MAX} characters` : null;
};

export const isAmount: Check = (value) =>
  AMOUNT.test(value.trim()) ? null : 'An amount such as 25.00, at most nine decimals';

export const isAmountAboveZero: Check = (value) =>
  isAmount(value) ?? (Number(value) === 0 ? 'More than zero' : null);

export const isSignedAmount: Check = (value) => {
  if (!SIGNED_AMOUNT.test(value.trim())) return 'An amount such as -1.50, at most nine decimals';
  return Number(value) === 0 ? 'Zero changes nothing' : null;
};

export const isWholeFrom =
  (least: number, most: number): Check =>
  (value) => {
    const number = Number(value.trim());
    const fits = WHOLE.test(value.trim()) && number >= least && number <= most;
    return fits ? null : `A whole number from ${formatCount(least)} to ${formatCount(most)}`;
  };

export const isWholeAboveZero: Check = (value) =>
  WHOLE.test(value.trim()) && Number(value) > 0 ? null : 'A whole number, at least 1';

/** The first thing that is wrong with one of many; how many there may be, the API says. */
export const each =
  (check: Check) =>
  (values: readonly string[]): string | null =>
    values.map(check).find((wrong) => wrong !== null) ?? null;

/** An absolute http or https address, as the API wants it. */
export const isUrl: Check = (value) =>
  /^https?:\/\/[!-~]+$/.test(value.trim()) ? null : 'An address that begins with https://';

export const isEmail: Check = (value) =>
  /^[^\s@]{1,64}@[^\s@]{1,189}$/.test(value.trim())
    ? null
    : 'Write an email address, such as ann@example.com';

export const isPassword: Check = (value) => {
  if (value.length < 8) return 'Use at least 8 characters, three of them different';
  return new Set(value).size < 3 ? 'At least three different characters' : null;
};

/** A time as a date field holds it, in the zone of the viewer; empty where none was given. */
export const isFuture: Check = (value) =>
  value === '' || Date.parse(value) > Date.now() ? null : 'A time in the future';

const LIMIT_MAX = 1_000_000_000;

/** A limit as a form holds it: empty means what its placeholder says, `none` is no limit at all. */
export const isLimit: Check = (value) => {
  const text = value.trim();
  if (text === '' || text === NO_LIMIT) return null;
  return isWholeFrom(0, LIMIT_MAX)(text) === null ? null : 'A whole number, or none for no limit';
};

/** The discount of an account's terms: from -900 to 100 per cent, at most two decimals. */
export const isPercent: Check = (value) => {
  const isNumber = /^-?\d{1,3}(\.\d{1,2})?$/.test(value.trim());
  const fits = isNumber && Number(value) >= -900 && Number(value) <= 100;
  return fits ? null : 'A percentage such as 12.50, from -900 to 100';
};
