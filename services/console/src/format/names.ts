/** A name of the API for people: `auto_disabled` as `Auto disabled`. */
export function formatName(value: string): string {
  const words = value.replaceAll(/[_.]/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** What a list calls the one with the id; the id itself while the list does not have it. */
export function nameById(
  list: readonly { readonly id: string; readonly name: string }[] | undefined,
  id: string,
): string {
  return list?.find((one) => one.id === id)?.name ?? id;
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
  return (end === -1 ? start : start.slice(0, end)).trim();
}
