// Original file: tollgate/routing/v1/routing.proto

import type { RouteChannel as _tollgate_routing_v1_RouteChannel, RouteChannel__Output as _tollgate_routing_v1_RouteChannel__Output } from '../../../tollgate/routing/v1/RouteChannel';
import type { RouteHealth as _tollgate_routing_v1_RouteHealth, RouteHealth__Output as _tollgate_routing_v1_RouteHealth__Output } from '../../../tollgate/routing/v1/RouteHealth';
import type { Model as _tollgate_routing_v1_Model, Model__Output as _tollgate_routing_v1_Model__Output } from '../../../tollgate/routing/v1/Model';

/**
 * What differs from the table that the follower holds.
 */
export interface RouteChanges {
  /**
   * Nothing that the follower holds is in force any more: these are the first of all.
   */
  'reset'?: (boolean);
  /**
   * New, or with another configuration; each takes the place of what has its id.
   */
  'channels'?: (_tollgate_routing_v1_RouteChannel)[];
  /**
   * Of channels whose configuration stays.
   */
  'health'?: (_tollgate_routing_v1_RouteHealth)[];
  'removedChannels'?: (string)[];
  /**
   * New or changed; each takes the place of what has its name.
   */
  'models'?: (_tollgate_routing_v1_Model)[];
  'removedModels'?: (string)[];
  /**
   * The rest follows; all of it is in force with the last.
   */
  'more'?: (boolean);
}

/**
 * What differs from the table that the follower holds.
 */
export interface RouteChanges__Output {
  /**
   * Nothing that the follower holds is in force any more: these are the first of all.
   */
  'reset': (boolean);
  /**
   * New, or with another configuration; each takes the place of what has its id.
   */
  'channels': (_tollgate_routing_v1_RouteChannel__Output)[];
  /**
   * Of channels whose configuration stays.
   */
  'health': (_tollgate_routing_v1_RouteHealth__Output)[];
  'removedChannels': (string)[];
  /**
   * New or changed; each takes the place of what has its name.
   */
  'models': (_tollgate_routing_v1_Model__Output)[];
  'removedModels': (string)[];
  /**
   * The rest follows; all of it is in force with the last.
   */
  'more': (boolean);
}
