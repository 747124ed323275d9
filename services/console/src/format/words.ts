/** `auto_disabled` as `Auto disabled`. */
export function toWords(value: string): string {
  const words = value.replaceAll(/[_.]/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
