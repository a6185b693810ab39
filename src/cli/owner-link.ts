import { withClient } from './connect.ts'
import type { Output } from './output.ts'

/** `docent owner-link`: a link that signs the owner in, once. */
export async function printOwnerLink(output: Output): Promise<void> {
  const link = await withClient((client) => client.createOwnerLink())
  output.result(link, () => `${link.url}\n\nOpen it within an hour: it signs the owner in, once.`)
}
