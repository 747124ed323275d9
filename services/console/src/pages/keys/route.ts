import { KeyRound } from 'lucide-react';
import { lazyPage, type PageRoute } from '../../shell/page-route';

export const keysRoute: PageRoute = {
  path: '/keys',
  label: 'API keys',
  icon: KeyRound,
  group: 'account',
  View: lazyPage(async () => (await import('./keys-page')).KeysPage),
};
