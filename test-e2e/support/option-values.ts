/** What the options of a command line may be: each throws a sentence for the one who typed it. */

export function wholeNumber(text: string): number {
  if (!/^\d{1,10}$/.test(text)) throw new Error(`${text} is not a whole number`);
  return Number(text);
}

/** At least 1 and below ten million: a number of rounds, seconds or accounts. */
export function someNumber(text: string): number {
  const number = wholeNumber(text);
  if (number < 1 || number > 9_999_999) throw new Error(`${text} is not between 1 and 9999999`);
  return number;
}

export function oneOf<Meaning>(text: string, meanings: Readonly<Record<string, Meaning>>): Meaning {
  const meaning = Object.hasOwn(meanings, text) ? meanings[text] : undefined;
  if (meaning === undefined) {
    throw new Error(`${text} is none of ${Object.keys(meanings).join(', ')}`);
  }
  return meaning;
}
