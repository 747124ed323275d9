import { UncertainError } from './product-client';
import { formatTable, type Table } from './table';

const CONTROL_CHARACTERS = /[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu;

/** The text to print and the exit code: 0 only when it was done and all is well. */
export interface CommandOutcome {
  readonly exitCode: number;
  readonly message: string;
}

/** What a command found out, as one JSON object or as a text for people. */
export function toOutcome(
  exitCode: number,
  found: object,
  { json, text }: { readonly json: boolean; readonly text: string },
): CommandOutcome {
  return { exitCode, message: `${json ? JSON.stringify(found) : text}\n` };
}

/** What was answered, as JSON or for people; a list of which a table is made has a line for each. */
export function answerOutcome(data: unknown, json: boolean, table?: Table): CommandOutcome {
  const message = json ? JSON.stringify(data, null, 2) : toText(data, table);
  return { exitCode: 0, message: `${message}\n` };
}

function toText(data: unknown, table: Table | undefined): string {
  if (table === undefined || !Array.isArray(data)) return toLines(data, '').join('\n');
  const items = data as readonly object[];
  return items.length === 0 ? 'there is none' : formatTable(items, table, forTerminal);
}

/** Why it was not done. */
export function failureOutcome(error: unknown, json: boolean): CommandOutcome {
  const reason = error instanceof Error ? error.message.trim() : String(error);
  if (error instanceof UncertainError) return uncertainOutcome(reason, error.idempotencyKey, json);
  return toOutcome(1, { error: reason }, { json, text: `not done: ${forTerminal(reason)}` });
}

function uncertainOutcome(reason: string, key: string, json: boolean): CommandOutcome {
  const advice =
    `Whether it was done is not known. To make sure of it, give the same command once more with ` +
    `--idempotency-key ${key}: within 24 hours it does nothing twice`;
  const found = { error: `${reason}. ${advice}`, idempotency_key: key };
  return toOutcome(1, found, { json, text: `${forTerminal(reason)}\n${forTerminal(advice)}` });
}

/**
 * What tenants wrote must not move the cursor of an operator's terminal, look like a line of ours or
 * turn the reading direction: such characters are shown by their number.
 */
function forTerminal(text: string): string {
  return text.replaceAll(CONTROL_CHARACTERS, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

/** A member on each line, what is in a member below it and further in; nothing of what is empty. */
function toLines(value: unknown, indent: string): readonly string[] {
  if (isPlain(value)) return [`${indent}${plain(value)}`];
  if (Array.isArray(value)) {
    return value.flatMap((item: unknown) => {
      const [first = '', ...rest] = toLines(item, `${indent}  `);
      return [`${indent}- ${first.trimStart()}`, ...rest];
    });
  }
  return Object.entries(value).flatMap(([name, member]: readonly [string, unknown]) => {
    if (member === null || member === undefined) return [];
    if (isPlain(member)) return [`${indent}${forTerminal(name)}: ${plain(member)}`];
    const lines = toLines(member, `${indent}  `);
    const title = `${indent}${forTerminal(name)}`;
    return lines.length === 0 ? [] : [`${title}:`, ...lines];
  });
}

const plain = (value: Plain) => forTerminal(String(value ?? '-'));

type Plain = string | number | boolean | null | undefined;

function isPlain(value: unknown): value is Plain {
  return typeof value !== 'object' || value === null;
}
