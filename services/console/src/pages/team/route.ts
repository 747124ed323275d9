import { UsersRound } from 'lucide-react';
import { lazyPage, type PageRoute } from '../../shell/page-route';

export const teamRoute: PageRoute = {
  path: '/team',
  label: 'Team',
  icon: UsersRound,
  group: 'account',
  roles: ['owner', 'admin', 'operator'],
  View: lazyPage(async () => (await import('./team-page')).TeamPage),
};
