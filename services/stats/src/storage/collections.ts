/**
 * The service's collections; no other service reads them. Figures, cursors and denials were named
 * before collections began with their service's name, and keep theirs.
 */
export const COLLECTIONS = {
  figures: 'usage_figures',
  cursors: 'usage_cursors',
  retention: 'usage_retention',
  denialBuckets: 'denial_buckets',
  refusedRequests: 'refused_requests',
} as const;
