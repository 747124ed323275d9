import { useLedger } from '../../api/billing';
import { useKeys } from '../../api/keys';
import type { LedgerEntry } from '../../api/schemas';
import { DataTable, ListFooter } from '../../components/data-table';
import { Filters } from '../../components/filters';
import { Page } from '../../components/page';
import { Empty, QueryState } from '../../components/query-state';
import { SideDrawer } from '../../components/side-drawer';
import { toWords } from '../../components/status';
import { useOpenThing } from '../../url/open-thing';
import { oneOf } from '../../url/search';
import { useUrlState } from '../../url/url-state';
import { requestColumns } from './columns';
import { filterRequests, isRequest, OUTCOMES } from './filter';
import { ReceiptDetails } from './receipt-details';

/** What was asked, how it ended and what it cost. */
export function RequestsPage() {
  const ledger = useLedger();
  const open = useOpenThing();
  const url = useUrlState();
  const filter = {
    model: url.get('model'),
    keyId: url.get('key'),
    outcome: oneOf(url.get('outcome'), OUTCOMES, 'all'),
    id: url.get('request'),
  };
  return (
    <Page
      title="Requests"
      sentence="Every request that reached a model, the newest first, with what it cost."
    >
      <RequestFilters entries={ledger.data ?? []} />
      <QueryState
        query={{ ...ledger, data: ledger.data?.filter(isRequest) }}
        empty={{
          title: 'No requests yet',
          text: 'As soon as a key is used, its requests are here with what they cost.',
        }}
      >
        {(requests) => {
          const rows = filterRequests(requests, filter);
          return (
            <>
              {rows.length === 0 ? (
                <Empty
                  title="No request fits"
                  text="Take a filter away, or load older requests: filters look through what was loaded."
                />
              ) : (
                <DataTable
                  label="Requests"
                  rows={rows}
                  columns={requestColumns}
                  keyOf={({ seq }) => String(seq)}
                  hrefOf={({ request_id }) => open.hrefOf(request_id ?? '')}
                />
              )}
              <ListFooter query={{ ...ledger, data: requests }} shown={rows.length} />
            </>
          );
        }}
      </QueryState>
      <SideDrawer isOpen={open.id !== undefined} title="Request" onClose={open.close}>
        {open.id !== undefined && <ReceiptDetails requestId={open.id} />}
      </SideDrawer>
    </Page>
  );
}

function RequestFilters({ entries }: { readonly entries: readonly LedgerEntry[] }) {
  const keys = useKeys();
  const models = [...new Set(entries.flatMap(({ model }) => model ?? []))].sort();
  return (
    <Filters
      filters={[
        {
          name: 'outcome',
          label: 'Outcome',
          options: OUTCOMES.slice(1).map((value) => ({ value, label: toWords(value) })),
        },
        { name: 'model', label: 'Model', options: models.map((id) => ({ value: id, label: id })) },
        {
          name: 'key',
          label: 'API key',
          options: (keys.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
        },
        { name: 'request', label: 'Request id' },
      ]}
    />
  );
}
