import { ChartColumn } from 'lucide-react';
import { lazyPage, type PageRoute } from '../../shell/page-route';

export const usageRoute: PageRoute = {
  path: '/usage',
  label: 'Usage',
  icon: ChartColumn,
  group: 'account',
  View: lazyPage(async () => (await import('./usage-page')).UsagePage),
};
