import { setTimeout as wait } from 'node:timers/promises'
import { queueListSchema } from '../../src/contract/service-health.ts'
import { asAdmin } from './pull-requests.ts'

/** Waits until every chat event that a server has accepted is handled. @param url Of the server. */
export async function settleBots(url: string): Promise<void> {
  for (;;) {
    const response = await fetch(`${url}/admin/v1/operations/queue`, { headers: asAdmin })
    const events = queueListSchema.parse(await response.json()).items.find(({ name }) => name === 'bot-events')
    if (events?.waiting === 0 && events.running === 0) return
    await wait(10)
  }
}
