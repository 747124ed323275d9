import { AppError } from '@tollgate/core';
import type { ServiceHost } from '@tollgate/lifecycle';
import { completionV1 } from '@tollgate/protos';
import { completionDefinition, createRpcClient, type RpcSecurity } from '@tollgate/rpc';
import type { LeaseDisposition, LeaseHolders } from '../domain/ports';

/** Lease holders with their connections. */
export interface LeaseHolderClients extends LeaseHolders {
  close(): void;
}

const { LeaseDisposition: PROTO } = completionV1;

function fromProtoDisposition(disposition: completionV1.LeaseDisposition): LeaseDisposition {
  switch (disposition) {
    case PROTO.CLOSING:
      return 'closing';
    case PROTO.BUSY:
      return 'busy';
    case PROTO.UNKNOWN_CLOSED:
      return 'unknownClosed';
    case PROTO.NOT_HOLDER:
      return 'notHolder';
    default:
      throw new AppError('INTERNAL_ERROR', {
        internalMessage: `a holder answered a recall with ${disposition}`,
      });
  }
}

/** Connects to each holder at the address that it gave with its lease. */
export function createLeaseHolders(options: {
  readonly security: RpcSecurity;
  readonly host: ServiceHost;
  readonly deadlineMs: number;
  /** Connections kept; the one unused for longest is closed first. */
  readonly clientsMax: number;
}): LeaseHolderClients {
  const { security, host, deadlineMs, clientsMax } = options;
  const connect = (address: string) =>
    createRpcClient(completionDefinition, {
      address,
      security,
      host,
      deadlineMs,
      ownName: 'billing',
      // A holder that is gone is asked seldom; failing fast would only hide its return.
      breaker: false,
    });
  const clients = new Map<string, ReturnType<typeof connect>>();

  const clientFor = (address: string) => {
    const client = clients.get(address) ?? connect(address);
    clients.delete(address);
    clients.set(address, client);
    const [oldest] = clients;
    if (clients.size > clientsMax && oldest !== undefined) {
      oldest[1].close();
      clients.delete(oldest[0]);
    }
    return client;
  };

  return {
    async recall({ accountId, leaseNumber, holder, address }, signal) {
      const request = { accountId, lease: leaseNumber, holder };
      const call = signal === undefined ? { accountId } : { accountId, signal };
      const { disposition } = await clientFor(address).recallLease(request, call);
      return fromProtoDisposition(disposition);
    },
    close() {
      for (const client of clients.values()) client.close();
      clients.clear();
    },
  };
}
