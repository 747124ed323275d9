import { AppError, type Page, pageByCursor } from '@tollgate/core';
import type { RefusedRequest, RefusedRequestStore } from '../domain/ports';

/** Of any account where none is given; to an account that of another is NOT_FOUND. */
export async function findRefused(
  refusedRequests: Pick<RefusedRequestStore, 'find'>,
  requestId: string,
  accountId: string | undefined,
): Promise<RefusedRequest> {
  const refused = await refusedRequests.find(requestId);
  const isTheirs = accountId === undefined || refused?.accountId === accountId;
  if (refused === undefined || !isTheirs) throw new AppError('NOT_FOUND');
  return refused;
}

/** A page of them, the newest first; `nextCursor` is empty on the last one. */
export async function listRefused(
  refusedRequests: Pick<RefusedRequestStore, 'list'>,
  page: Parameters<RefusedRequestStore['list']>[0],
): Promise<Page<RefusedRequest>> {
  const found = await refusedRequests.list({ ...page, limit: page.limit + 1 });
  return pageByCursor(found, page.limit, ({ requestId }) => requestId);
}
