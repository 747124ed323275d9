import { useRefused, useRequests } from '../../api/requests';
import { DataTable } from '../../components/data-table';
import { QueryState } from '../../components/query-state';
import { recentColumns } from '../requests/columns';
import { RefusedNotice } from '../requests/refused-list';

const SHOWN = 5;

/** The newest requests; each leads to its story. */
export function LastRequests() {
  const requests = useRequests('own');
  const refused = useRefused('own', undefined);
  return (
    <>
      <QueryState
        query={{ ...requests, data: requests.data?.slice(0, SHOWN) }}
        lines={4}
        empty={{
          title: 'No requests yet',
          text: 'As soon as a key is used, its requests are here with what they cost.',
        }}
      >
        {(rows) => (
          <DataTable
            label="Last requests"
            rows={rows}
            columns={recentColumns}
            keyOf={({ id }) => id}
            hrefOf={({ id }) => `/requests?open=${id}`}
          />
        )}
      </QueryState>
      <RefusedNotice refused={refused} href="/requests?status=refused" />
    </>
  );
}
