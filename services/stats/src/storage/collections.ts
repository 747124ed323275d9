/**
 * The service's collections; no other service reads them. Figures, cursors and denials were made
 * before collections began with their service's name, and keep theirs.
 */
export const COLLECTIONS = {
  figures: 'usage_figures',
  cursors: 'usage_cursors',
  retention: 'usage_retention',
  denialBuckets: 'denial_buckets',
  /** Of earlier versions: read, and no longer written. */
  denials: 'denials',
  refusedRequests: 'refused_requests',
} as const;
