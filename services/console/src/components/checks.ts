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
    return fits ? null : `A whole number from ${least} to ${most}`;
  };

/** As the API: an absolute http or https address. */
export const isUrl: Check = (value) =>
  /^https?:\/\/[!-~]+$/.test(value.trim()) ? null : 'An address that begins with https://';

export const isEmail: Check = (value) =>
  /^[^\s@]{1,64}@[^\s@]{1,189}$/.test(value.trim()) ? null : 'An email address';

export const isPassword: Check = (value) => {
  if (value.length < 8) return 'At least 8 characters';
  return new Set(value).size < 3 ? 'At least three different characters' : null;
};
