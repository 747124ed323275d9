import { asList, asObject, geminiResourceOf } from '@tollgate/core';
import type { Embedding, VendorCall, VendorCompletion } from '../../domain/vendor';
import { vectorValuesMaxOf, writeVectors } from '../protocol/embeddings';
import type { VendorRequest } from '../protocol/vendor-protocol';
import { readAnswer } from '../protocol/whole-reader';
import { toRequest } from './request';
import { vendorUsageOf } from './response';

/** Every text is a request of its own within one. */
export function buildEmbeddingRequest(call: VendorCall): VendorRequest {
  const { candidate, embedding, messages } = call;
  const texts = JSON.parse(messages.toString()) as readonly string[];
  const model = geminiResourceOf(candidate.upstreamName);
  const requests = texts.map((text) => ({
    model,
    content: { parts: [{ text }] },
    outputDimensionality: embedding?.dimensions,
  }));
  return toRequest(call, 'batchEmbedContents', { requests });
}

/** Reads the vectors of an answer; older models count nothing, and then we do. */
export function parseEmbeddings(body: Buffer, embedding: Embedding): VendorCompletion {
  const answer = readAnswer(body, vectorValuesMaxOf(embedding));
  const given = asList(answer.embeddings).map((each) => ({
    index: undefined,
    values: asObject(each)?.values,
  }));
  return writeVectors(given, embedding, vendorUsageOf(answer.usageMetadata));
}
