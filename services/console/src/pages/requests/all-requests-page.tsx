import { useAccounts } from '../../api/accounts';
import { useChannels } from '../../api/channels';
import { useCatalogue } from '../../api/models';
import { Page } from '../../components/page';
import { Name } from '../../components/values';
import { nameById, toOptions } from '../../format/names';
import { NOTHING } from '../../format/quantity';
import { anyRequestColumns } from './columns';
import { RequestList } from './request-list';

/** Every account's requests, with the channel that served them. */
export function AllRequestsPage() {
  const accounts = useAccounts();
  const catalogue = useCatalogue();
  const channels = useChannels();
  const nameAccount = (id: string) => nameById(accounts.data, id);
  const nameChannel = (id: string) => nameById(channels.data, id);
  return (
    <Page
      title="All requests"
      sentence="What every account asked, which channel served it and what became of it."
    >
      <RequestList
        scope="all"
        columns={anyRequestColumns(nameAccount, nameChannel)}
        whose={{
          header: 'Account',
          width: 'name',
          cell: ({ account_id }) => (account_id ? <Name of={nameAccount(account_id)} /> : NOTHING),
        }}
        models={(catalogue.data ?? []).map(({ id }) => id)}
        more={[
          { name: 'account', label: 'Account', options: toOptions(accounts.data) },
          { name: 'channel', label: 'Channel', options: toOptions(channels.data) },
        ]}
      />
    </Page>
  );
}
