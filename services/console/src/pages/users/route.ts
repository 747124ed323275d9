import { IdCard } from 'lucide-react';
import { lazyPage, type PageRoute } from '../../shell/page-route';

export const usersRoute: PageRoute = {
  path: '/operator/users',
  label: 'Users',
  icon: IdCard,
  group: 'operator',
  View: lazyPage(async () => (await import('./users-page')).UsersPage),
};
