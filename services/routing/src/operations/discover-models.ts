import type { ModelListing, VendorProbe } from '../domain/ports';

/** Asks a vendor for its models. Throws VALIDATION_ERROR when the address may not be called. */
export type DiscoverModels = VendorProbe['discoverModels'];

/** Refuses an address that may not be called before it asks there. */
export function createDiscoverModels(
  probe: Pick<VendorProbe, 'checkAddress' | 'discoverModels'>,
): DiscoverModels {
  return async (type, baseUrl, credential): Promise<ModelListing> => {
    await probe.checkAddress(baseUrl);
    return probe.discoverModels(type, baseUrl, credential);
  };
}
