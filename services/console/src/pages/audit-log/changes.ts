import { formatPrice } from '../../format/money';
import { NOTHING } from '../../format/quantity';
import { describeOperation } from './describe-operation';

/** One field that a write changed. */
export interface Change {
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

/** Fields that every write changes, and nobody asked for. */
const BOOKKEEPING: ReadonlySet<string> = new Set(['changed_at', 'updated_at', 'version']);

type State = Readonly<Record<string, unknown>> | null;

interface Write {
  readonly before: State;
  readonly after: State;
}

/**
 * The differences between the states of a resource; all of it where it was made or deleted. What was
 * only asked of it, such as a check, is answered with no state of it, and changed nothing.
 */
export function listChanges(operation: string, { before, after }: Write): readonly Change[] {
  const isDeleted = operation.startsWith('DELETE ');
  const isOfAnother = before?.id !== undefined && before.id !== after?.id;
  if (isOfAnother && !isDeleted) return [];
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  return [...names]
    .map((name) => ({ name, before: show(before?.[name]), after: show(after?.[name]) }))
    .filter(({ name, ...change }) => change.before !== change.after && !BOOKKEEPING.has(name));
}

function show(value: unknown): string {
  if (value === undefined || value === null) return NOTHING;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const SAID_MAX = 2;
const VALUE_MAX = 24;

/** `priority 0 → 10` of a change that is small enough for a sentence. */
export function describeChanges(changes: readonly Change[]): string {
  const isShort = changes.every(
    ({ before, after }) => before.length <= VALUE_MAX && after.length <= VALUE_MAX,
  );
  if (changes.length > SAID_MAX || !isShort) return '';
  return changes.map(({ name, before, after }) => `${name} ${before} → ${after}`).join(', ');
}

/** What a write did, in a sentence: to what by its name, and what differs where that is little. */
export function describeWrite(
  operation: string,
  write: Write,
  knownName: string | undefined,
  currency: string,
): string {
  const { before, after } = write;
  const what = describeOperation(operation, nameIn(before, after) ?? knownName);
  const amount = amountIn(operation, after, currency);
  if (amount !== undefined) return `${what}: ${amount}`;
  // What was made or deleted is all of it new or gone.
  const isChange = before !== null && after !== null;
  const changes = isChange ? describeChanges(listChanges(operation, write)) : '';
  return changes === '' ? what : `${what}: ${changes}`;
}

/** The money that was given or taken: `$5.00`, or `3 of $5.00` of a batch of codes. */
function amountIn(operation: string, after: State, currency: string): string | undefined {
  if (!/^POST .*\/(credits|adjustments|codes)$/.test(operation)) return undefined;
  const codes = Array.isArray(after?.codes) ? (after.codes as readonly State[]) : undefined;
  const amount = codes === undefined ? after?.amount : codes[0]?.amount;
  if (typeof amount !== 'string') return undefined;
  // A minus at the end of a line would be read as a dash.
  const said = formatPrice(amount, currency).replace('−', '−\u2060');
  return codes === undefined ? said : `${codes.length} of ${said}`;
}

/** What somebody calls the thing that was written, as its own record says. */
export function nameIn(before: State, after: State): string | undefined {
  const name = after?.name ?? before?.name;
  return typeof name === 'string' && name !== '' ? name : undefined;
}
