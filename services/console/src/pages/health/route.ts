import { Activity } from 'lucide-react';
import { lazyPage, type PageRoute } from '../../shell/page-route';

export const healthRoute: PageRoute = {
  path: '/operator/health',
  label: 'Health',
  icon: Activity,
  group: 'operator',
  View: lazyPage(async () => (await import('./health-page')).HealthPage),
};
