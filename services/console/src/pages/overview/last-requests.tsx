import { useRequests } from '../../api/requests';
import { DataTable } from '../../components/data-table';
import { QueryState } from '../../components/query-state';
import { requestColumns } from '../requests/columns';

const SHOWN = 5;

/** The newest requests; each leads to its story. */
export function LastRequests() {
  const requests = useRequests('own');
  return (
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
          columns={requestColumns}
          keyOf={({ id }) => id}
          hrefOf={({ id }) => `/requests?open=${id}`}
        />
      )}
    </QueryState>
  );
}
