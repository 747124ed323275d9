import { toPlainFailureBody } from '../../../http/errors';
import type { ChatFormat } from '../../format';
import { createFrames, toResponse } from './answer';
import { fromResponsesBody, RESPONSES_PARAMS } from './request';
import { responseSchema, responsesRequestSchema } from './schema';

/** `POST /v1/responses`: OpenAI's Responses, without conversations that are kept. */
export const responsesFormat: ChatFormat = {
  name: 'responses',
  document: {
    summary: 'Create a response, in the format of OpenAI’s Responses API',
    request: responsesRequestSchema.meta({ id: 'ResponsesRequest' }),
    answer: responseSchema.meta({ id: 'Response' }),
  },
  keepAlive: ': keep-alive\n\n',
  parse: fromResponsesBody,
  answer: toResponse,
  frames: createFrames,
  failureBody: (error) => toPlainFailureBody(error, paramIn(error.param)),
};

/** Completion speaks of messages, which are not numbered like the items of the input. */
function paramIn(param: string | undefined): string | undefined {
  if (param === undefined) return undefined;
  return RESPONSES_PARAMS[param.replace(/\[.*/s, '')] ?? param;
}
