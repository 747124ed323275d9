// Original file: tollgate/stats/v1/stats.proto


export interface RefusedBearer {
  'fault'?: (string);
  /**
   * The public part of what was sent; empty when there is none.
   */
  'presented'?: (string);
}

export interface RefusedBearer__Output {
  'fault': (string);
  /**
   * The public part of what was sent; empty when there is none.
   */
  'presented': (string);
}
