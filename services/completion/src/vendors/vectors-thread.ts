import type { Embedding } from '../domain/vendor';
import type { EmbeddingForm } from '../domain/vendor-abilities';
import type { VendorUsage } from '../domain/vendor-usage';
import { serveThread } from '../threads/serve-thread';
import { parseEmbeddings as parseGemini } from './gemini/embeddings';
import { parseEmbeddings as parseOpenai } from './openai/embeddings';

const PARSERS: Readonly<Record<EmbeddingForm, typeof parseOpenai>> = {
  openai: parseOpenai,
  gemini: parseGemini,
};

/** A request to the thread: an answer of a vendor, in its form. */
export interface VectorQuestion {
  readonly form: EmbeddingForm;
  readonly body: Uint8Array;
  readonly embedding: Embedding;
}

/** The vectors as our own form has them. */
export interface Vectors {
  readonly choices: Uint8Array;
  readonly usage: VendorUsage | undefined;
}

serveThread(({ body, embedding, form }: VectorQuestion): Vectors => {
  const { choices, usage } = PARSERS[form](Buffer.from(body), embedding);
  return { choices, usage };
});
