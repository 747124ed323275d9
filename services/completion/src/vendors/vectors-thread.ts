import { parentPort } from 'node:worker_threads';
import type { Embedding } from '../domain/vendor';
import type { VendorUsage } from '../usage/count';
import { parseEmbeddings as parseGemini } from './gemini/embeddings';
import { parseEmbeddings as parseOpenai } from './openai/embeddings';

const PARSERS = { openai: parseOpenai, gemini: parseGemini };

/** A request to the thread: an answer of a vendor that speaks the protocol. */
export interface VectorQuestion {
  readonly protocol: keyof typeof PARSERS;
  readonly body: Uint8Array;
  readonly embedding: Embedding;
}

/** Its answer: the vectors as our own form has them, or what is wrong with the body. */
export type VectorAnswer =
  | { readonly choices: Uint8Array; readonly usage: VendorUsage | undefined }
  | { readonly fault: string };

parentPort?.on('message', ({ body, embedding, protocol }: VectorQuestion) => {
  let answer: VectorAnswer;
  try {
    const { choices, usage } = PARSERS[protocol](Buffer.from(body), embedding);
    answer = { choices, usage };
  } catch (error) {
    answer = { fault: error instanceof Error ? error.message : String(error) };
  }
  parentPort?.postMessage(answer);
});
