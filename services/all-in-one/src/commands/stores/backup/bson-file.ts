import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import type { RawDocument } from '@tollgate/mongo';
import { PRIVATE_FILE } from '../../../start/private-files';

/** By which a file is known again. */
export interface FileFigures {
  readonly bytes: number;
  /** In hex. */
  readonly sha256: string;
}

/** Writes documents one after another into a file that is not there yet, and onto the disk. */
export async function writeBsonFile(
  path: string,
  pages: AsyncIterable<readonly RawDocument[]>,
): Promise<FileFigures & { readonly documents: number }> {
  const hash = createHash('sha256');
  let bytes = 0;
  let documents = 0;
  const file = await open(path, 'wx', PRIVATE_FILE);
  try {
    for await (const page of pages) {
      const block = Buffer.concat(page);
      await file.writeFile(block);
      hash.update(block);
      bytes += block.length;
      documents += page.length;
    }
    await file.sync();
  } finally {
    await file.close();
  }
  return { bytes, documents, sha256: hash.digest('hex') };
}

/** The number of documents in the file. Throws a sentence when it does not consist of documents. */
export async function countDocuments(path: string): Promise<number> {
  let documents = 0;
  for await (const page of readBsonFile(path)) documents += page.length;
  return documents;
}

export async function figuresOf(path: string): Promise<FileFigures> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { bytes, sha256: hash.digest('hex') };
}

const LENGTH_BYTES = 4;
/** An empty document, and the largest that an engine takes with what it adds of its own. */
const DOCUMENT_BYTES_MIN = 5;
const DOCUMENT_BYTES_MAX = 17 * 1024 * 1024;
const PAGE_DOCUMENTS = 500;
const PAGE_BYTES = 8 * 1024 * 1024;

/** The documents of a file in pages of a bounded size; a file that was cut off is an error. */
export async function* readBsonFile(path: string): AsyncGenerator<readonly RawDocument[]> {
  let rest: Buffer = Buffer.alloc(0);
  let page: RawDocument[] = [];
  let pageBytes = 0;
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      const length = rest.length < LENGTH_BYTES ? undefined : rest.readInt32LE(0);
      if (length === undefined) break;
      if (length < DOCUMENT_BYTES_MIN || length > DOCUMENT_BYTES_MAX) {
        throw new Error(
          `${path} does not consist of documents: one is said to have ${length} bytes`,
        );
      }
      if (rest.length < length) break;
      if (rest[length - 1] !== 0) throw new Error(`${path} has a document without its end`);
      page.push(rest.subarray(0, length));
      pageBytes += length;
      rest = rest.subarray(length);
      if (page.length < PAGE_DOCUMENTS && pageBytes < PAGE_BYTES) continue;
      yield page;
      page = [];
      pageBytes = 0;
    }
  }
  if (rest.length > 0) throw new Error(`${path} ends in the middle of a document`);
  if (page.length > 0) yield page;
}
