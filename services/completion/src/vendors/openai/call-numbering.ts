import { asObject, asText, type JsonObject } from '@tollgate/core';

/** The calls of one delta, each with the index that all its deltas have in common. */
export type CallNumbering = (calls: readonly unknown[]) => readonly unknown[];

/**
 * Counts the calls of one choice from 0, in the order in which they begin: clients join what has the
 * same index. Vendors number calls by `index`; where one does not, a call begins with each id, and
 * what has no id belongs to the last. Some give each call the same index: there, another id with a
 * name begins a call, and without ids a name that comes after whole arguments.
 */
export function createCallNumbering(): CallNumbering {
  /** The newest call of each of the vendor's indexes, or of each id where calls have no index. */
  const newest = new Map<unknown, NumberedCall>();
  let lastKey: unknown;
  let begun = 0;
  const placeOf = (call: JsonObject): number => {
    const id = asText(call.id);
    const key = typeof call.index === 'number' ? call.index : id || lastKey;
    const known = newest.get(key);
    const text = asText(asObject(call.function)?.arguments);
    if (known !== undefined && !beginsAnother(call, id, known)) {
      if (known.text !== undefined) known.text += text;
      return known.place;
    }
    const place = begun;
    newest.set(key, { place, id, text: id === '' ? text : undefined });
    lastKey = key;
    begun += 1;
    return place;
  };
  return (calls) =>
    calls.map((value) => {
      const call = asObject(value);
      if (call === undefined) return value;
      const index = placeOf(call);
      return call.index === index ? call : { ...call, index };
    });
}

interface NumberedCall {
  readonly place: number;
  readonly id: string;
  /** Its arguments as far as they came; undefined where they do not tell whether it is over. */
  text: string | undefined;
}

// Some vendors repeat the id in each event, or write a new one that has no name.
function beginsAnother(call: JsonObject, id: string, known: NumberedCall): boolean {
  if (asText(asObject(call.function)?.name) === '') return false;
  if (id !== '') return known.id !== '' && id !== known.id;
  if (known.text === undefined) return false;
  if (isObjectText(known.text)) return true;
  // Its vendor repeats names: they begin nothing, and arguments that grow are not parsed each time.
  known.text = undefined;
  return false;
}

function isObjectText(text: string): boolean {
  try {
    return asObject(JSON.parse(text)) !== undefined;
  } catch {
    return false;
  }
}
