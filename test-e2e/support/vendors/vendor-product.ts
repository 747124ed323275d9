import { type RunningTollgate, startTollgate } from '../../topologies/start-tollgate';
import { type KeyedAccount, openAccountWithKey } from '../accounts';
import { untilRouted } from './simulator';
import {
  startVendor,
  VENDOR_CREDENTIAL,
  VENDOR_MODEL,
  type VendorName,
  type VendorServer,
} from './vendor-protocols';

/** A model and a channel of each, by the same name. */
export const VENDOR_NAMES: readonly VendorName[] = ['anthropic', 'gemini', 'azure'];

/** Nano-units of one token. */
export const VENDOR_PRICES = { prompt: 100n, cached: 50n, completion: 400n };

/** A running product with a channel for each vendor, and an account that asks them. */
export interface VendorProduct {
  readonly tollgate: RunningTollgate;
  readonly account: KeyedAccount;
  vendorOf(name: VendorName): VendorServer;
  channelOf(name: VendorName): string;
  stop(): Promise<number | string>;
}

/** Starts both; the channels have the capabilities. */
export async function startVendorProduct(capabilities: readonly string[]): Promise<VendorProduct> {
  const vendors = new Map<VendorName, VendorServer>();
  const channels = new Map<VendorName, string>();
  for (const name of VENDOR_NAMES) vendors.set(name, await startVendor(name));
  const hosts = [...vendors.values()].map(({ host }) => host);
  const tollgate = await startTollgate({ TOLLGATE_EGRESS_ALLOWED_HOSTS: hosts.join(',') });
  const { api } = tollgate;
  for (const [name, { baseUrl }] of vendors) {
    await api.post('/v1/admin/models', {
      name,
      context_length: 100_000,
      max_completion_tokens: 4096,
      pricing: { prompt: '0.10', completion: '0.40', cached_prompt: '0.05' },
    });
    const channel = await api.post('/v1/admin/channels', {
      name,
      type: name === 'azure' ? 'openai' : name,
      base_url: baseUrl,
      credential: VENDOR_CREDENTIAL,
      models: [{ name, upstream_name: VENDOR_MODEL }],
      capabilities,
    });
    channels.set(name, String(channel.id));
  }
  const account = await openAccountWithKey(api, { name: 'vendors', credit: '10.00' });
  for (const name of VENDOR_NAMES) await untilRouted(account.api, name);
  return {
    tollgate,
    account,
    vendorOf: (name) => vendors.get(name) as VendorServer,
    channelOf: (name) => channels.get(name) as string,
    async stop() {
      const code = await tollgate.stop();
      for (const vendor of vendors.values()) await vendor.close();
      return code;
    },
  };
}
