import type { LucideIcon } from 'lucide-react';
import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
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
  readonly View: LazyExoticComponent<ComponentType>;
}

/** A page whose code comes when it is first opened. */
export function lazyPage(load: () => Promise<ComponentType>): PageRoute['View'] {
  return lazy(async () => ({ default: await load() }));
}

/** Whether the rail shows the page to somebody; the API decides what it answers. */
export function mayOpen(route: PageRoute, role: Role): boolean {
  if (route.group === 'operator') return role === 'operator';
  return route.roles === undefined || route.roles.includes(role);
}
