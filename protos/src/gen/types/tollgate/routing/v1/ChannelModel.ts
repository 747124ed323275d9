// Original file: tollgate/routing/v1/routing.proto


export interface ChannelModel {
  /**
   * The catalogue name that clients use.
   */
  'name'?: (string);
  /**
   * What the vendor calls it.
   */
  'upstreamName'?: (string);
}

export interface ChannelModel__Output {
  /**
   * The catalogue name that clients use.
   */
  'name': (string);
  /**
   * What the vendor calls it.
   */
  'upstreamName': (string);
}
