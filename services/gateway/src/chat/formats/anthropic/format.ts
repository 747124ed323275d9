import type { AppError, ErrorCode } from '@tollgate/core';
import type { ChatFormat } from '../../format';
import { createFrames, toMessage } from './answer';
import { fromMessagesBody, MESSAGES_PARAMS } from './request';
import { messageSchema, messagesFailureSchema, messagesRequestSchema } from './schema';

/** `POST /v1/messages`: what unmodified client libraries of Anthropic's API say and read. */
export const anthropicFormat: ChatFormat = {
  name: 'anthropic',
  document: {
    summary: 'Create a message, in the format of Anthropic’s Messages API',
    request: messagesRequestSchema.meta({ id: 'MessagesRequest' }),
    answer: messageSchema.meta({ id: 'Message' }),
    failure: messagesFailureSchema.meta({ id: 'MessagesFailure' }),
  },
  requestIdHeader: 'Request-Id',
  keepAlive: 'event: ping\ndata: {"type":"ping"}\n\n',
  parse: fromMessagesBody,
  answer: toMessage,
  frames: (requestId, head) => createFrames(requestId, head, toFailure),
  failureBody: toFailure,
};

/** Its own words are few: `code` and `param` are ours beside them. */
function toFailure({ code, definition, param, publicMessage }: AppError): string {
  const error = {
    type: TYPES_BY_CODE[code] ?? TYPES_BY_STATUS[definition.httpStatus] ?? 'api_error',
    message: publicMessage,
    code: definition.openaiCode ?? code,
    param: param === undefined ? null : (MESSAGES_PARAMS[param] ?? param),
  };
  return JSON.stringify({ type: 'error', error });
}

const TYPES_BY_CODE: Readonly<Partial<Record<ErrorCode, string>>> = {
  UPSTREAM_TIMEOUT: 'timeout_error',
  SERVICE_UNAVAILABLE: 'overloaded_error',
};

const TYPES_BY_STATUS: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  408: 'invalid_request_error',
  409: 'invalid_request_error',
  413: 'request_too_large',
  415: 'invalid_request_error',
  422: 'invalid_request_error',
  429: 'rate_limit_error',
};
