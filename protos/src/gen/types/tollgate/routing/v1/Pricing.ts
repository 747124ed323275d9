// Original file: tollgate/routing/v1/routing.proto

import type { Long } from '@grpc/proto-loader';

export interface Pricing {
  'currency'?: (string);
  'prompt'?: (number | string | Long);
  'completion'?: (number | string | Long);
  'cachedPrompt'?: (number | string | Long);
  'version'?: (number);
  'effectiveAt'?: (string);
}

export interface Pricing__Output {
  'currency': (string);
  'prompt': (string);
  'completion': (string);
  'cachedPrompt': (string);
  'version': (number);
  'effectiveAt': (string);
}
