import { useLedger } from '../../api/billing';

import { DataTable } from '../../components/data-table';
import { QueryState } from '../../components/query-state';
import { requestColumns } from '../requests/columns';
import { isRequest } from '../requests/filter';

const SHOWN = 5;

/** The newest requests that were charged; each leads to its receipt. */
export function LastRequests() {
  const ledger = useLedger();
  const requests = { ...ledger, data: ledger.data?.filter(isRequest).slice(0, SHOWN) };
  return (
    <QueryState
      query={requests}
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
          keyOf={(entry) => String(entry.seq)}
          hrefOf={(entry) => `/requests?open=${entry.request_id}`}
        />
      )}
    </QueryState>
  );
}
