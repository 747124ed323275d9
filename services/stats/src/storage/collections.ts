/**
 * The service's collections; no other service reads them. None of these names begins with that of
 * the service; a new one does.
 */
export const COLLECTIONS = {
  figures: 'usage_figures',
  cursors: 'usage_cursors',
  retention: 'usage_retention',
  denialBuckets: 'denial_buckets',
  refusedRequests: 'refused_requests',
} as const;
