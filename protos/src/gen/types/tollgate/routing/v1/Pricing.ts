// Original file: tollgate/routing/v1/routing.proto

import type { Long } from '@grpc/proto-loader';

/**
 * Prices in nano-units per 1M tokens.
 */
export interface Pricing {
  'currency'?: (string);
  'prompt'?: (number | string | Long);
  'completion'?: (number | string | Long);
  'cachedPrompt'?: (number | string | Long);
  'version'?: (number);
  /**
   * From when this version holds.
   */
  'effectiveAt'?: (string);
}

/**
 * Prices in nano-units per 1M tokens.
 */
export interface Pricing__Output {
  'currency': (string);
  'prompt': (string);
  'completion': (string);
  'cachedPrompt': (string);
  'version': (number);
  /**
   * From when this version holds.
   */
  'effectiveAt': (string);
}
