/** A name of the API for people: `auto_disabled` as `Auto disabled`. */
export function formatName(value: string): string {
  const words = value.replaceAll(/[_.]/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A longer name is not typed to its end: its first words say that it was read. */
const TYPED_MAX = 32;

/** As much of a name as somebody types to confirm what cannot be undone. */
export function shortenName(name: string): string {
  if (name.length <= TYPED_MAX) return name;
  const start = name.slice(0, TYPED_MAX);
  const space = start.lastIndexOf(' ');
  return (space === -1 ? start : start.slice(0, space)).trim();
}
