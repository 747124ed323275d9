import { LayoutDashboard } from 'lucide-react';
import { lazyPage, type PageRoute } from '../../shell/page-route';

export const overviewRoute: PageRoute = {
  path: '/',
  label: 'Overview',
  icon: LayoutDashboard,
  group: 'account',
  View: lazyPage(async () => (await import('./overview-page')).OverviewPage),
};
