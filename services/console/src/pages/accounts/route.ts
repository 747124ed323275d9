import { Building2 } from 'lucide-react';
import { lazyPage, type PageRoute } from '../../shell/page-route';

export const accountsRoute: PageRoute = {
  path: '/operator/accounts',
  label: 'Accounts',
  icon: Building2,
  group: 'operator',
  View: lazyPage(async () => (await import('./accounts-page')).AccountsPage),
};
