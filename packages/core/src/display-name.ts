import { invalid } from './app-error';

export const DISPLAY_NAME_LENGTH_MAX = 100;

/**
 * The characters that no display name has, as ranges of a regular expression's class: controls,
 * marks that turn the direction of what follows, and what takes no room. Joiners and variation
 * selectors are not among them: Persian and emoji are written with them.
 */
export const INVISIBLE_CHARACTERS =
  '\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f' +
  '\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ufeff\\uffa0\\ufff9-\\ufffb';

const INVISIBLE = new RegExp(`[${INVISIBLE_CHARACTERS}]`);

/**
 * The name that people give an account, a key, a channel or themselves: 1 to 100 characters after
 * trimming, none that hides or turns others. Throws VALIDATION_ERROR with the field at fault.
 */
export function parseDisplayName(param: string, text: string): string {
  const name = text.trim();
  if (name.length === 0 || name.length > DISPLAY_NAME_LENGTH_MAX || INVISIBLE.test(name)) {
    throw invalid(param, `${param} must have 1 to ${DISPLAY_NAME_LENGTH_MAX} visible characters.`);
  }
  return name;
}

/** A name that somebody else chose, in a form that is taken; empty where nothing is left. */
export function toDisplayName(text: string): string {
  const visible = text.replaceAll(new RegExp(INVISIBLE, 'g'), '').trim();
  return visible.slice(0, DISPLAY_NAME_LENGTH_MAX).toWellFormed();
}
