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

/**
 * The id of the thing of this name, whatever its case, or the one behind the name, as `withOwnNames`
 * writes it; a text that is neither is taken as an id.
 */
export function idByName(list: readonly Named[], text: string): string {
  const name = text.toLowerCase();
  const found = list.find((one) => one.name.toLowerCase() === name);
  return found?.id ?? / \((\w+)\)$/.exec(text)?.[1] ?? text;
}

/**
 * Each thing once, and no name twice, whatever its case: of two things that are called alike each has
 * its id behind it.
 */
export function withOwnNames(list: readonly Named[]): readonly Named[] {
  const things = new Map(list.map(({ id, name }) => [id, name]));
  const alike = Map.groupBy(things.values(), (name) => name.toLowerCase());
  return [...things].map(([id, name]) => ({
    id,
    name: alike.get(name.toLowerCase())?.length === 1 ? name : `${name} (${id})`,
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
