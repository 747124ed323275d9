import { Tags } from 'lucide-react';
import { lazyPage, type PageRoute } from '../../shell/page-route';

export const catalogueRoute: PageRoute = {
  path: '/operator/models',
  label: 'Models & prices',
  icon: Tags,
  group: 'operator',
  View: lazyPage(async () => (await import('./catalogue-page')).CataloguePage),
};
