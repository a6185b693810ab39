import { AddressBook, AddressRefusedError, resolveBySystem, type ResolveHost } from './address-book.ts'
import { readFetchInput, sendFetch } from './http-fetch.ts'
import { isPlainAddress } from './plain-address.ts'

export interface GuardedFetchOptions {
  /** Whether this machine, private networks and ports other than 80 and 443 are allowed. */
  allowsPrivateAddresses: boolean
  /** Default: the system's resolver. */
  resolve?: ResolveHost
}

/**
 * A `fetch` for addresses chosen by others. The host is resolved once, checked, and dialled at the checked address, so that
 * a name server cannot change its answer in between. Redirects are returned, never followed, whatever `redirect` says:
 * their targets are unchecked. Pass a signal to every call: there is no built-in time limit.
 *
 * Rejects with `AddressRefusedError` for forbidden addresses, with the signal's reason when it aborts, and with the
 * system's own error otherwise.
 */
export function createGuardedFetch({ allowsPrivateAddresses, resolve }: GuardedFetchOptions): typeof fetch {
  return async (input, init) => {
    const request = await readFetchInput(input, init)
    const { url, signal } = request
    if (!isPlainAddress(url, allowsPrivateAddresses)) throw new AddressRefusedError(url.host)
    signal.throwIfAborted()
    const addresses = new AddressBook(resolve ?? resolveBySystem, allowsPrivateAddresses)
    return sendFetch({ ...request, address: await untilAborted(addresses.find(url.hostname), signal) })
  }
}

/** A DNS lookup cannot be cancelled, only abandoned. */
function untilAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason as Error) // The owner of a signal chooses the reason.
    signal.addEventListener('abort', stop, { once: true })
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
