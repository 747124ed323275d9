import { asList, asObject } from '@tollgate/core';
import type { Embedding, VendorCall, VendorCompletion } from '../../domain/vendor';
import { vectorValuesMaxOf, writeVectors } from '../protocol/embeddings';
import type { VendorRequest } from '../protocol/vendor-protocol';
import { toRequest } from './request';
import { readOpenaiAnswer } from './response';

/** Asks for base64: numbers as text are three times as long. Vendors may send numbers all the same. */
export function buildEmbeddingRequest(call: VendorCall): VendorRequest {
  const { candidate, embedding, messages, parameters } = call;
  const model = JSON.stringify(candidate.upstreamName);
  const members = [
    ...(embedding?.dimensions === undefined ? [] : [`"dimensions":${embedding.dimensions}`]),
    ...(parameters.user === '' ? [] : [`"user":${JSON.stringify(parameters.user)}`]),
  ];
  return toRequest(call, 'embeddings', [
    Buffer.from(`{"model":${model},"encoding_format":"base64","input":`),
    messages,
    Buffer.from(`${members.map((member) => `,${member}`).join('')}}`),
  ]);
}

/** Reads the vectors of an answer. */
export function parseEmbeddings(body: Buffer, embedding: Embedding): VendorCompletion {
  const answer = readOpenaiAnswer(body, vectorValuesMaxOf(embedding));
  const given = asList(answer.data).map((each) => {
    const { embedding: values, index } = asObject(each) ?? {};
    return { index, values };
  });
  const usage = asObject(answer.usage);
  return writeVectors(
    given,
    embedding,
    usage && { prompt: usage.prompt_tokens, completion: 0, cached: 0 },
  );
}
