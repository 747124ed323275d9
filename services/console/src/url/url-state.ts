import { useCallback } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import { type Changes, withChanges } from './search';

/** The state of a view that can be sent to a colleague: filters, ranges and the open drawer. */
export interface UrlState {
  get(name: string): string | undefined;
  /** Undefined takes a name out. With `replace` the browser's Back skips the address before. */
  set(changes: Changes, options?: { readonly replace?: boolean }): void;
  /** The address of this page with the changes. */
  hrefWith(changes: Changes): string;
}

export function useUrlState(): UrlState {
  const [path] = useLocation();
  const [search, setSearch] = useSearchParams();
  const set = useCallback(
    (changes: Changes, { replace = false } = {}) =>
      setSearch((current) => withChanges(current, changes), { replace }),
    [setSearch],
  );
  return {
    get: (name) => search.get(name) ?? undefined,
    set,
    hrefWith: (changes) => {
      const text = withChanges(search, changes).toString();
      return text === '' ? path : `${path}?${text}`;
    },
  };
}
