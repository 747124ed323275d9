import type { PageRoute } from '../shell/page-route';
import { accountsRoute } from './accounts/route';
import { allRequestsRoute } from './all-requests/route';
import { auditLogRoute } from './audit-log/route';
import { billingRoute } from './billing/route';
import { catalogueRoute } from './catalogue/route';
import { channelsRoute } from './channels/route';
import { healthRoute } from './health/route';
import { keysRoute } from './keys/route';
import { modelsRoute } from './models/route';
import { overviewRoute } from './overview/route';
import { playgroundRoute } from './playground/route';
import { requestsRoute } from './requests/route';
import { settingsRoute } from './settings/route';
import { teamRoute } from './team/route';
import { usageRoute } from './usage/route';
import { usersRoute } from './users/route';
import { webhooksRoute } from './webhooks/route';

/** Every page, in the order of the rail; a phone's bar holds the first four. */
export const PAGES: readonly PageRoute[] = [
  overviewRoute,
  requestsRoute,
  keysRoute,
  usageRoute,
  billingRoute,
  webhooksRoute,
  modelsRoute,
  playgroundRoute,
  teamRoute,
  settingsRoute,
  healthRoute,
  channelsRoute,
  catalogueRoute,
  accountsRoute,
  usersRoute,
  allRequestsRoute,
  auditLogRoute,
];
