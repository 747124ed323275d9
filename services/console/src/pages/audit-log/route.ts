import { ScrollText } from 'lucide-react';
import { lazyPage, type PageRoute } from '../../shell/page-route';

export const auditLogRoute: PageRoute = {
  path: '/operator/audit-log',
  label: 'Audit log',
  icon: ScrollText,
  group: 'operator',
  View: lazyPage(async () => (await import('./audit-log-page')).AuditLogPage),
};
