import { parentPort } from 'node:worker_threads';
import type { Embedding } from '../domain/vendor';
import type { EmbeddingForm } from '../domain/vendor-abilities';
import type { VendorUsage } from '../domain/vendor-usage';
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

/** Its answer: the vectors as our own form has them, or what is wrong with the body. */
export type VectorAnswer =
  | { readonly choices: Uint8Array; readonly usage: VendorUsage | undefined }
  | { readonly fault: string };

parentPort?.on('message', ({ body, embedding, form }: VectorQuestion) => {
  let answer: VectorAnswer;
  try {
    const { choices, usage } = PARSERS[form](Buffer.from(body), embedding);
    answer = { choices, usage };
  } catch (error) {
    answer = { fault: error instanceof Error ? error.message : String(error) };
  }
  parentPort?.postMessage(answer);
});
