// Original file: tollgate/routing/v1/routing.proto

/**
 * What a model is asked for.
 */
export const ModelKind = {
  /**
   * Of a new model chat; of a replaced one what it was.
   */
  MODEL_KIND_UNSPECIFIED: 'MODEL_KIND_UNSPECIFIED',
  MODEL_KIND_CHAT: 'MODEL_KIND_CHAT',
  MODEL_KIND_EMBEDDING: 'MODEL_KIND_EMBEDDING',
} as const;

/**
 * What a model is asked for.
 */
export type ModelKind =
  /**
   * Of a new model chat; of a replaced one what it was.
   */
  | 'MODEL_KIND_UNSPECIFIED'
  | 0
  | 'MODEL_KIND_CHAT'
  | 1
  | 'MODEL_KIND_EMBEDDING'
  | 2

/**
 * What a model is asked for.
 */
export type ModelKind__Output = typeof ModelKind[keyof typeof ModelKind]
