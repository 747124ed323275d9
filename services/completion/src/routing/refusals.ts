import { AppError, COST_MAX_HEADER, formatAmount, type ModelKind, type Nano } from '@tollgate/core';
import { EMBEDDINGS } from '../domain/vendor-abilities';
import type { RouteModel } from './candidate';

export function unknownModel(nearest?: string): AppError {
  const meant = nearest === undefined ? '' : ` Did you mean "${nearest}"?`;
  return new AppError('NOT_FOUND', {
    publicMessage: `This model does not exist.${meant} GET /v1/models lists the available ones.`,
    param: 'model',
  });
}

export function ofAnotherKind(kind: ModelKind): AppError {
  const path = kind === 'embedding' ? '/v1/embeddings' : '/v1/chat/completions';
  return new AppError('VALIDATION_ERROR', {
    publicMessage: `This model is asked by POST ${path}.`,
    param: 'model',
  });
}

/** Vectors of two models have nothing to do with each other. */
export function unnamed(): AppError {
  return new AppError('VALIDATION_ERROR', {
    publicMessage: 'Embeddings need the name of a model: those of two models cannot be compared.',
    param: 'model',
  });
}

/** Says whose list lacks the models: the account's, or that of the key alone. */
export function notAllowed({ isInPlan }: { readonly isInPlan: boolean }): AppError {
  return new AppError('FORBIDDEN', {
    publicMessage: isInPlan
      ? 'This API key may not use this model.'
      : "This account's plan does not include this model. GET /v1/models lists those that it has.",
    param: 'model',
  });
}

export function tokensAboveCap(models: readonly RouteModel[]): AppError {
  const cap = Math.max(...models.map(({ completionTokensMax }) => completionTokensMax));
  return new AppError('VALIDATION_ERROR', {
    publicMessage:
      `max_tokens must be at most ${cap} for this model: that is its max_completion_tokens in the ` +
      'catalogue here, which whoever runs this service can change.',
    param: 'max_tokens',
  });
}

export function promptTooLong(models: readonly RouteModel[]): AppError {
  const length = Math.max(...models.map(({ contextTokensMax }) => contextTokensMax));
  return new AppError('CONTEXT_LENGTH_EXCEEDED', {
    publicMessage: `The messages are longer than the ${length} tokens of this model's context.`,
    param: 'messages',
  });
}

/** `least` is the smallest limit under which a channel could answer. */
export function costLimit(least: Nano): AppError {
  return new AppError('COST_LIMIT', {
    publicMessage: `${COST_MAX_HEADER} must be at least ${formatAmount(least)} for this prompt.`,
    param: COST_MAX_HEADER,
  });
}

/** What of a request no channel of its model supports. */
export interface Unsupported {
  /** Undefined where a vendor cannot express the member, whatever its channel declares. */
  readonly capability: string | undefined;
  /** The member of the request that asks for it, or `model`. */
  readonly param: string;
}

export function notCapable({ capability, param }: Unsupported): AppError {
  // A member is told by its name in the client's format; the place of a message tells no capability.
  const isTelling = capability === undefined || !(param === 'model' || param.includes('['));
  return new AppError('VALIDATION_ERROR', {
    publicMessage: `No channel of this model supports ${isTelling ? param : capability}.`,
    // Embeddings are no member of the request but all of it.
    param: param === EMBEDDINGS ? 'model' : param,
  });
}
