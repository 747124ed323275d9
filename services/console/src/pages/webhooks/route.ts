import { Webhook } from 'lucide-react';
import { lazyPage, type PageRoute } from '../../shell/page-route';

export const webhooksRoute: PageRoute = {
  path: '/webhooks',
  label: 'Webhooks',
  icon: Webhook,
  group: 'account',
  roles: ['owner', 'admin', 'operator'],
  View: lazyPage(async () => (await import('./webhooks-page')).WebhooksPage),
};
