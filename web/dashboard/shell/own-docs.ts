import type { SiteResource } from '../../../src/contract/admin.ts'
import { toOwnAddress } from '../api/own-address.ts'

/** The built-in repository of this product's documentation, which the first start makes a site of. */
const ownDocs = 'default/docs'

/** Address of the documentation on this installation; null if its site was deleted. */
export function findOwnDocs(sites: readonly SiteResource[] | undefined): string | null {
  const docs = sites?.find(({ source }) => source.location === ownDocs)
  return docs === undefined ? null : toOwnAddress(docs.url)
}
