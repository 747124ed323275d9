import type { LucideIcon } from 'lucide-react';
import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
import { isReady, reach, untilReached } from '../api/reach';
import type { Role } from '../api/schemas';

/** A page as the shell knows it: its address, its name, who sees it, and how its code is fetched. */
export interface PageRoute {
  /** The path below the console's own address. */
  readonly path: string;
  readonly label: string;
  readonly icon: LucideIcon;
  readonly group: 'account' | 'operator';
  /** Who sees the page; everybody with an account when absent. */
  readonly roles?: readonly Role[];
  /** Stands beside the name, where a number says whether to look. */
  readonly Badge?: ComponentType;
  readonly View: LazyExoticComponent<ComponentType>;
}

/** A page whose code comes when it is first opened. */
export function lazyPage(load: () => Promise<ComponentType>): PageRoute['View'] {
  return lazy(async () => ({ default: await loadWhenReached(load) }));
}

/** Code that cannot be fetched because nothing answers is fetched as soon as something does. */
async function loadWhenReached(load: () => Promise<ComponentType>): Promise<ComponentType> {
  try {
    return await load();
  } catch {
    // The product answers, so it is tried once more. Code that fails again is of a release that was
    // replaced meanwhile, and the error boundary says so.
    if (await isReady()) return load();
    reach.failed();
    await untilReached(reach);
    return loadWhenReached(load);
  }
}

/** Pages in the bottom bar, beside More: as many as a thumb tells apart. */
const BAR_MAX = 4;
/** Pages that an operator looks at first. */
const OPERATOR_BAR = [
  '/operator/health',
  '/operator/alerts',
  '/operator/channels',
  '/operator/requests',
];

/** The page of somebody who asked for none: for an operator how the product is. */
export function firstPageOf(role: Role): string {
  return role === 'operator' ? '/operator/health' : '/';
}

/** The pages within a thumb's reach, of those that somebody may open. */
export function pagesInBar(routes: readonly PageRoute[], role: Role): readonly PageRoute[] {
  if (role !== 'operator') return routes.slice(0, BAR_MAX);
  return routes.filter(({ path }) => OPERATOR_BAR.includes(path));
}

/** Addresses that somebody makes of an id: each leads to the story of that request. */
export const STORY_PATHS = ['/requests/:id', '/operator/requests/:id'] as const;

/** The address of the story of a request: operators find those of all accounts. */
export function hrefOfStory(role: Role, id: string): string {
  const list = role === 'operator' ? '/operator/requests' : '/requests';
  return `${list}?open=${encodeURIComponent(id)}`;
}

/** Why somebody is shown no page at an address. */
export function describeNoPage(
  path: string,
  routes: readonly PageRoute[],
): { readonly title: string; readonly text: string } {
  const known = routes.find((route) => route.path === path);
  if (known === undefined) {
    return { title: 'There is no such page', text: 'The address may be mistyped or out of date.' };
  }
  return {
    title: 'This page is not for you',
    text:
      known.group === 'operator'
        ? `“${known.label}” is for those who run this Tollgate. Ask them for what you need of it.`
        : `“${known.label}” is for owners and admins of the account. Ask one of them.`,
  };
}

/** Whether the rail shows the page to somebody; the API decides what it answers. */
export function mayOpen(route: PageRoute, role: Role): boolean {
  if (route.group === 'operator') return role === 'operator';
  return route.roles === undefined || route.roles.includes(role);
}
