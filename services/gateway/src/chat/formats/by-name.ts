import type { ChatFormat } from '../format';
import { anthropicFormat } from './anthropic/format';
import { embeddingsFormat } from './embeddings/format';
import { envelopeFormat } from './envelope/format';
import { openaiFormat } from './openai/format';
import { responsesFormat } from './responses/format';

/** All formats: an answer that was kept in one that is not here cannot be written again. */
export const formatsByName: ReadonlyMap<string, ChatFormat> = new Map(
  [envelopeFormat, openaiFormat, anthropicFormat, responsesFormat, embeddingsFormat].map(
    (format) => [format.name, format],
  ),
);
