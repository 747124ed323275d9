import { Rows3 } from 'lucide-react';
import { lazyPage, type PageRoute } from '../../shell/page-route';

export const allRequestsRoute: PageRoute = {
  path: '/operator/requests',
  label: 'All requests',
  icon: Rows3,
  group: 'operator',
  View: lazyPage(async () => (await import('./all-requests-page')).AllRequestsPage),
};
