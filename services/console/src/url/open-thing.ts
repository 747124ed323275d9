import { useUrlState } from './url-state';

const NAME = 'open';
const NEW = 'new';

/** Which thing of a list has its drawer open; the address says it. */
export interface OpenThing {
  /** Undefined when none is, or when one is being made. */
  readonly id: string | undefined;
  readonly isNew: boolean;
  /** The thing itself, of a list that has it. */
  find<Thing extends { readonly id: string }>(list?: readonly Thing[]): Thing | undefined;
  /** The address that opens it. */
  hrefOf(id: string): string;
  create(): void;
  show(id: string): void;
  close(): void;
}

export function useOpenThing(): OpenThing {
  const url = useUrlState();
  const value = url.get(NAME);
  const id = value === NEW ? undefined : value;
  return {
    id,
    isNew: value === NEW,
    find: (list) => list?.find((one) => one.id === id),
    hrefOf: (other) => url.hrefWith({ [NAME]: other }),
    create: () => url.set({ [NAME]: NEW }),
    show: (other) => url.set({ [NAME]: other }),
    close: () => url.set({ [NAME]: undefined }),
  };
}
