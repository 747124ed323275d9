import { MessagesSquare } from 'lucide-react';
import { lazyPage, type PageRoute } from '../../shell/page-route';

export const playgroundRoute: PageRoute = {
  path: '/playground',
  label: 'Playground',
  icon: MessagesSquare,
  group: 'account',
  View: lazyPage(async () => (await import('./playground-page')).PlaygroundPage),
};
