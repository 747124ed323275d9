import { ListTree } from 'lucide-react';
import { lazyPage, type PageRoute } from '../../shell/page-route';

export const requestsRoute: PageRoute = {
  path: '/requests',
  label: 'Requests',
  icon: ListTree,
  group: 'account',
  View: lazyPage(async () => (await import('./requests-page')).RequestsPage),
};
