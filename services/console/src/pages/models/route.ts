import { Boxes } from 'lucide-react';
import { lazyPage, type PageRoute } from '../../shell/page-route';

export const modelsRoute: PageRoute = {
  path: '/models',
  label: 'Models',
  icon: Boxes,
  group: 'account',
  View: lazyPage(async () => (await import('./models-page')).ModelsPage),
};
