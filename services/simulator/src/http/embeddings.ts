import type { IncomingMessage, ServerResponse } from 'node:http';
import { isObject, parseJson } from '@tollgate/core';
import { answerError, answerJson, readBody } from './bodies';

const DIMENSIONS = 8;
const DIMENSIONS_MAX = 4096;

interface EmbeddingQuestion {
  readonly model: string;
  readonly texts: readonly string[];
  readonly dimensions: number;
  readonly base64: boolean;
}

/** `POST /v1/embeddings`: equal texts have equal vectors, of length 1. */
export function createEmbeddings(bodyBytesMax: number) {
  return (request: IncomingMessage, response: ServerResponse): void => {
    readBody(request, response, bodyBytesMax, (text) => {
      const question = readQuestion(text);
      if (question === undefined) answerError(response, 400, { param: 'input' });
      else answerJson(response, 200, answerOf(question));
    });
  };
}

function readQuestion(text: string): EmbeddingQuestion | undefined {
  const body = parseJson(text);
  if (!isObject(body)) return undefined;
  const { model, input, dimensions = DIMENSIONS, encoding_format: encoding } = body;
  const texts: readonly unknown[] = Array.isArray(input) ? input : [input];
  const valid =
    typeof model === 'string' &&
    typeof dimensions === 'number' &&
    Number.isInteger(dimensions) &&
    dimensions >= 1 &&
    dimensions <= DIMENSIONS_MAX &&
    texts.every((each) => typeof each === 'string' && each !== '');
  if (!valid) return undefined;
  return { model, texts: texts as readonly string[], dimensions, base64: encoding === 'base64' };
}

function answerOf({ base64, dimensions, model, texts }: EmbeddingQuestion): string {
  const data = texts.map((text, index) => {
    const vector = vectorOf(text, dimensions);
    const embedding = base64 ? Buffer.from(vector.buffer).toString('base64') : Array.from(vector);
    return { object: 'embedding', index, embedding };
  });
  const tokens = texts.reduce((sum, text) => sum + Math.ceil(text.length / 4), 0);
  const usage = { prompt_tokens: tokens, total_tokens: tokens };
  return JSON.stringify({ object: 'list', data, model, usage });
}

function vectorOf(text: string, dimensions: number): Float32Array<ArrayBuffer> {
  const vector = new Float32Array(dimensions);
  for (let index = 0; index < text.length; index += 1) {
    const place = (text.charCodeAt(index) * 31 + index) % dimensions;
    vector[place] = (vector[place] ?? 0) + 1;
  }
  const length = Math.hypot(...vector);
  return vector.map((each) => each / length);
}
