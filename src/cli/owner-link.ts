import { withClient } from './connect.ts'
import type { Output } from './output.ts'

export async function printOwnerLink(output: Output): Promise<void> {
  const link = await withClient((client) => client.createOwnerLink())
  output.result(link, () => `${link.url}\n\nOpen it within an hour. It signs the owner in and works only once.`)
}
