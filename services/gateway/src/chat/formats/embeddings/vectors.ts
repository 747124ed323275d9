import { setImmediate } from 'node:timers/promises';

/** Some two milliseconds of writing: then others have their turns. */
const FLOATS_PER_TICK = 8192;
const FLOAT_BYTES = 4;
const QUOTE = 0x22;

/**
 * The `data` of an answer. `vectors` is a JSON array of texts, each the base64 of 32-bit floats. A
 * million numbers take half a second to write, so they are written in pieces.
 */
export async function writeVectors(vectors: Buffer, as: 'base64' | 'float'): Promise<Buffer> {
  const parts: Buffer[] = [];
  let written = 0;
  let index = 0;
  const write = (text: string) => parts.push(Buffer.from(text, 'latin1'));
  for (const vector of base64Of(vectors)) {
    write(`${index === 0 ? '[' : ','}{"object":"embedding","index":${index},"embedding":`);
    if (as === 'base64') {
      write('"');
      parts.push(vector);
      write('"');
    } else {
      const floats = floatsIn(vector);
      for (let from = 0; from < floats.length; from += FLOATS_PER_TICK) {
        const piece = floats.subarray(from, from + FLOATS_PER_TICK);
        write(`${from === 0 ? '[' : ','}${piece.join(',')}`);
        written += piece.length;
        if (written < FLOATS_PER_TICK) continue;
        written = 0;
        await setImmediate();
      }
      write(floats.length === 0 ? '[]' : ']');
    }
    write('}');
    index += 1;
  }
  write(index === 0 ? '[]' : ']');
  return Buffer.concat(parts);
}

/** The texts between quotes: base64 has none that would be escaped. */
function* base64Of(vectors: Buffer): Generator<Buffer> {
  for (let start = vectors.indexOf(QUOTE); start >= 0; ) {
    const end = vectors.indexOf(QUOTE, start + 1);
    yield vectors.subarray(start + 1, end);
    start = vectors.indexOf(QUOTE, end + 1);
  }
}

function floatsIn(base64: Buffer): Float32Array {
  const bytes = Buffer.from(base64.toString('latin1'), 'base64');
  // A copy, because a pooled buffer may begin at any byte.
  return new Float32Array(new Uint8Array(bytes).buffer, 0, bytes.length / FLOAT_BYTES);
}
