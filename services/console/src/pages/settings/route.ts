import { Settings } from 'lucide-react';
import { lazyPage, type PageRoute } from '../../shell/page-route';

export const settingsRoute: PageRoute = {
  path: '/settings',
  label: 'Settings',
  icon: Settings,
  group: 'account',
  View: lazyPage(async () => (await import('./settings-page')).SettingsPage),
};
