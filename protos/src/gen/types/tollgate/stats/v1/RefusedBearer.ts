// Original file: tollgate/stats/v1/stats.proto


export interface RefusedBearer {
  /**
   * Empty when nobody looked, as of a path that does not exist.
   */
  'fault'?: (string);
  /**
   * The public part of what was sent; empty when there is none.
   */
  'presented'?: (string);
}

export interface RefusedBearer__Output {
  /**
   * Empty when nobody looked, as of a path that does not exist.
   */
  'fault': (string);
  /**
   * The public part of what was sent; empty when there is none.
   */
  'presented': (string);
}
