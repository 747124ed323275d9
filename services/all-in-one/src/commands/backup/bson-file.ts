import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import type { RawDocument } from '@tollgate/mongo';
import { PRIVATE_FILE } from '../../start/private-files';

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
      if (length === undefined || rest.length < length) break;
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
