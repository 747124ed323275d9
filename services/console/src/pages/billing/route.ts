import { Wallet } from 'lucide-react';
import { lazyPage, type PageRoute } from '../../shell/page-route';

export const billingRoute: PageRoute = {
  path: '/billing',
  label: 'Billing',
  icon: Wallet,
  group: 'account',
  View: lazyPage(async () => (await import('./billing-page')).BillingPage),
};
