/** A name of the API for people: `auto_disabled` as `Auto disabled`. */
export function formatName(value: string): string {
  return capitalize(value.replaceAll(/[_.]/g, ' '));
}

/** A text as the beginning of a sentence. */
export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A thing of a list, as the API and as people call it. */
export interface Named {
  readonly id: string;
  readonly name: string;
}

/** The name of the thing with this id; the id itself while the list does not have it. */
export function nameById(list: readonly Named[] | undefined, id: string): string {
  return list?.find((one) => one.id === id)?.name ?? id;
}

/** The things as options of a field that offers them; none while the list is not there. */
export function toOptions(list: readonly Named[] = []): { value: string; label: string }[] {
  return list.map(({ id, name }) => ({ value: id, label: name }));
}

/** The id of the thing of this name, whatever its case; a text that is no name is taken as an id. */
export function idByName(list: readonly Named[], text: string): string {
  const name = text.toLowerCase();
  return list.find((one) => one.name.toLowerCase() === name)?.id ?? text;
}

/**
 * The same list with no name twice: of two things that are called alike each has its id behind it.
 */
export function withOwnNames(list: readonly Named[]): readonly Named[] {
  const counts = new Map<string, number>();
  for (const { name } of list) counts.set(name, (counts.get(name) ?? 0) + 1);
  return list.map(({ id, name }) => ({
    id,
    name: counts.get(name) === 1 ? name : `${name} (${id})`,
  }));
}

/** An email address may go on in another line after its `@` and its dots: not within a word. */
export function partsOfAddress(name: string): readonly string[] {
  return name.includes('@') ? name.split(/(?<=[@.])/) : [name];
}

/** A longer name is not typed to its end: its first words say that it was read. */
const TYPED_MAX = 32;

/** As much of a name as somebody types to confirm what cannot be undone. */
export function shortenName(name: string): string {
  if (name.length <= TYPED_MAX) return name;
  const start = name.slice(0, TYPED_MAX);
  const end = Math.max(start.lastIndexOf(' '), start.lastIndexOf('-'));
  return (end <= 0 ? start : start.slice(0, end)).trim();
}
