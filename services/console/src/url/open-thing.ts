import { useUrlState } from './url-state';

const NAME = 'open';
const NEW = 'new';

/** Which thing of a list has its drawer open; the address says it. */
export interface OpenThing {
  /** Undefined when none is, or when one is being made. */
  readonly id: string | undefined;
  readonly isNew: boolean;
  /** The address that opens it. */
  hrefOf(id: string): string;
  create(): void;
  show(id: string): void;
  close(): void;
}

export function useOpenThing(): OpenThing {
  const url = useUrlState();
  const value = url.get(NAME);
  return {
    id: value === NEW ? undefined : value,
    isNew: value === NEW,
    hrefOf: (id) => url.hrefWith({ [NAME]: id }),
    create: () => url.set({ [NAME]: NEW }),
    show: (id) => url.set({ [NAME]: id }),
    close: () => url.set({ [NAME]: undefined }),
  };
}
