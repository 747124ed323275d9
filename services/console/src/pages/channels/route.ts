import { Cable } from 'lucide-react';
import { lazyPage, type PageRoute } from '../../shell/page-route';

export const channelsRoute: PageRoute = {
  path: '/operator/channels',
  label: 'Channels',
  icon: Cable,
  group: 'operator',
  View: lazyPage(async () => (await import('./channels-page')).ChannelsPage),
};
