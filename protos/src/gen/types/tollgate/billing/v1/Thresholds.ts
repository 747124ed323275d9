// Original file: tollgate/billing/v1/billing.proto

import type { Long } from '@grpc/proto-loader';

export interface Thresholds {
  'amounts'?: (number | string | Long)[];
  /**
   * Days that the balance lasts as the account spends at present.
   */
  'days'?: (number)[];
}

export interface Thresholds__Output {
  'amounts': (string)[];
  /**
   * Days that the balance lasts as the account spends at present.
   */
  'days': (number)[];
}
