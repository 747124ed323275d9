import type { PageRoute } from '../shell/page-route';
import { keysRoute } from './keys/route';
import { overviewRoute } from './overview/route';
import { requestsRoute } from './requests/route';

/** Every page, in the order of the rail; a phone's bar holds the first four. */
export const PAGES: readonly PageRoute[] = [overviewRoute, requestsRoute, keysRoute];
