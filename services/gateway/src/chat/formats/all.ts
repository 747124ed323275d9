import type { ChatFormat } from '../format';
import { anthropicFormat } from './anthropic/format';
import { embeddingsFormat } from './embeddings/format';
import { envelopeFormat } from './envelope/format';
import { openaiFormat } from './openai/format';
import { responsesFormat } from './responses/format';

/** All formats: rows of the table take theirs from here, and kept answers are written again in them. */
export const formats = {
  envelope: envelopeFormat,
  openai: openaiFormat,
  anthropic: anthropicFormat,
  responses: responsesFormat,
  embeddings: embeddingsFormat,
} satisfies Readonly<Record<string, ChatFormat>>;
