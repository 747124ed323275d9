/** One member that a write changed. */
export interface Change {
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

type State = Readonly<Record<string, unknown>> | null;

const NOTHING = '–';

/** The differences between the states of a resource; all of it where it was made or deleted. */
export function listChanges(before: State, after: State): readonly Change[] {
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  return [...names]
    .map((name) => ({ name, before: show(before?.[name]), after: show(after?.[name]) }))
    .filter((change) => change.before !== change.after);
}

function show(value: unknown): string {
  if (value === undefined || value === null) return NOTHING;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
