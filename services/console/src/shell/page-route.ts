import type { LucideIcon } from 'lucide-react';
import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
import { isReady, reach, untilReached } from '../api/reach';
import type { Role } from '../api/schemas';

/** A page as the shell knows it: its address, its name, who sees it, and how its code is fetched. */
export interface PageRoute {
  /** Below the console's own address. */
  readonly path: string;
  readonly label: string;
  readonly icon: LucideIcon;
  readonly group: 'account' | 'operator';
  /** Everybody with an account when absent. */
  readonly roles?: readonly Role[];
  /** Beside the name, where a number says whether to look. */
  readonly Mark?: ComponentType;
  readonly View: LazyExoticComponent<ComponentType>;
}

/** A page whose code comes when it is first opened. */
export function lazyPage(load: () => Promise<ComponentType>): PageRoute['View'] {
  return lazy(async () => ({ default: await loadWhenReached(load) }));
}

/** What cannot be fetched because nothing answers is fetched as soon as something does. */
async function loadWhenReached(load: () => Promise<ComponentType>): Promise<ComponentType> {
  try {
    return await load();
  } catch {
    // Whatever fails twice while there is an answer is of another release.
    if (await isReady()) return load();
    reach.failed();
    await untilReached(reach);
    return loadWhenReached(load);
  }
}

/** Whether the rail shows the page to somebody; the API decides what it answers. */
export function mayOpen(route: PageRoute, role: Role): boolean {
  if (route.group === 'operator') return role === 'operator';
  return route.roles === undefined || route.roles.includes(role);
}
