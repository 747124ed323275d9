/** A JSON object as JSON.parse makes it. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** True for objects that are neither arrays nor null. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value as an object, or undefined when it is none. */
export function asObject(value: unknown): JsonObject | undefined {
  return isObject(value) ? value : undefined;
}

/** The value as a list; anything else is an empty one. */
export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The value as text; anything else is empty. */
export function asText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** What the text says; undefined when it is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACE = 0x7d;
const CLOSE_BRACKET = 0x5d;

export interface JsonBounds {
  readonly depthMax: number;
  /** Commas and opening brackets outside strings: one to each value but the outermost. */
  readonly valuesMax?: number;
}

/**
 * Which bound JSON text exceeds; to be asked before parsing, whose time grows faster than the depth
 * and goes by the number of values, and before writing, which recurses. Looks outside strings only;
 * text inside strings is skipped by native search.
 */
export function findExcess(
  text: string,
  { depthMax, valuesMax = Number.POSITIVE_INFINITY }: JsonBounds,
): 'depth' | 'values' | undefined {
  let depth = 0;
  let values = 0;
  for (let index = 0; index < text.length; index += 1) {
    switch (text.charCodeAt(index)) {
      case QUOTE:
        index = endOfJsonString(text, index);
        break;
      case OPEN_BRACE:
      case OPEN_BRACKET:
        depth += 1;
        if (depth > depthMax) return 'depth';
        values += 1;
        break;
      case COMMA:
        values += 1;
        if (values > valuesMax) return 'values';
        break;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        depth -= 1;
        break;
    }
  }
  return values > valuesMax ? 'values' : undefined;
}

/** Index of the quote that closes the string opened at `start`; the text's end when none does. */
export function endOfJsonString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1) {
    let escapes = end - 1;
    while (text.charCodeAt(escapes) === BACKSLASH) escapes -= 1;
    if ((end - escapes) % 2 === 1) return end;
    end = text.indexOf('"', end + 1);
  }
  return text.length;
}
