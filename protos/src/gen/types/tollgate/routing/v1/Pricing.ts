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
  /**
   * Of what the vendor puts into its cache; absent is the price of the prompt.
   */
  'cacheWrite'?: (number | string | Long);
  /**
   * list: the vendor's published price; default: nobody set one; empty when an operator did.
   */
  'source'?: (string);
  '_cacheWrite'?: "cacheWrite";
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
  /**
   * Of what the vendor puts into its cache; absent is the price of the prompt.
   */
  'cacheWrite'?: (string);
  /**
   * list: the vendor's published price; default: nobody set one; empty when an operator did.
   */
  'source': (string);
  '_cacheWrite'?: "cacheWrite";
}
