import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Text that stands nowhere else: wherever it is found, it came from its one place of use. */
export interface Canaries {
  /** Makes one; it has no form by which a filter could tell that it is a secret. */
  make(what: string): string;
  /** Watches for a text that somebody else made, such as an API key. */
  watch(what: string, text: string): string;
  /** What of the watched stands in the bytes, in clear or in one of the usual spellings. */
  findIn(bytes: Buffer): readonly string[];
}

/** Makes and finds canaries. */
export function createCanaries(): Canaries {
  const watched = new Map<string, string>();
  const spellings: { readonly what: string; readonly bytes: Buffer }[] = [];
  const watch = (what: string, text: string): string => {
    if (text.length < 16) throw new Error(`${what} is too short to be told from chance`);
    if (watched.has(text)) return text;
    watched.set(text, what);
    for (const bytes of spell(text)) spellings.push({ what, bytes });
    return text;
  };
  return {
    watch,
    make: (what) => watch(what, `canary-${what.replaceAll(' ', '-')}-${randomHex()}`),
    findIn: (bytes) => [
      ...new Set(spellings.filter((one) => bytes.includes(one.bytes)).map((one) => one.what)),
    ],
  };
}

function randomHex(): string {
  return randomBytes(8).toString('hex');
}

/** In clear, as UTF-16, as hex, and as base64 from each of its three alignments. */
function spell(text: string): readonly Buffer[] {
  const bytes = Buffer.from(text);
  const aligned = [0, 1, 2].map((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    // The first group holds the padding that stands for what came before, the last may hold more.
    return Buffer.from(encoded.slice(offset === 0 ? 0 : 4, -4));
  });
  return [
    bytes,
    Buffer.from(text, 'utf16le'),
    Buffer.from(bytes.toString('hex')),
    Buffer.from(JSON.stringify(text).slice(1, -1)),
    Buffer.from(encodeURIComponent(text)),
    ...aligned,
  ];
}

/** Every file below the directory with its bytes; the product may remove one while they are read. */
export function readAllFiles(
  directory: string,
): readonly { readonly path: string; readonly bytes: Buffer }[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .flatMap((entry) => {
      const path = join(entry.parentPath, entry.name);
      try {
        return [{ path, bytes: readFileSync(path) }];
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
        throw error;
      }
    });
}
