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

const NAME = 'open';
/** Of the ids that people choose none begins with a dash. */
const NEW = '-new';

/** The address of a page with the form for a new thing open. */
export function hrefOfNew(path: string): string {
  return `${path}?${NAME}=${NEW}`;
}

/** Which thing of a list has its drawer open; the address says it. */
export interface OpenThing {
  /** Undefined when none is, or when one is being made. */
  readonly id: string | undefined;
  readonly isNew: boolean;
  /** The thing itself, of a list that has it. */
  find<Thing extends { readonly id: string }>(list?: readonly Thing[]): Thing | undefined;
  /** The address that opens it. */
  hrefOf(id: string): string;
  /** How the rows of the list are told apart and opened. */
  readonly rows: {
    keyOf(row: { readonly id: string }): string;
    hrefOf(row: { readonly id: string }): string;
  };
  create(): void;
  show(id: string): void;
  close(): void;
}

export function useOpenThing(): OpenThing {
  const url = useUrlState();
  const value = url.get(NAME);
  const id = value === NEW ? undefined : value;
  const hrefOf = (other: string) => url.hrefWith({ [NAME]: other });
  return {
    id,
    isNew: value === NEW,
    find: (list) => list?.find((one) => one.id === id),
    hrefOf,
    rows: { keyOf: (row) => row.id, hrefOf: (row) => hrefOf(row.id) },
    create: () => url.set({ [NAME]: NEW }),
    show: (other) => url.set({ [NAME]: other }),
    close: () => url.set({ [NAME]: undefined }),
  };
}
