import { Agent, type ClientRequest, request } from 'node:http'
import { waitUntilReady } from '../test/support/wait-until-ready.ts'
import { startMeasured } from './start-measured.ts'

// Memory of the process idle, with many answers open at once from a model that never ends, and a minute after they closed.

const key = `svc_dsc_${'k'.repeat(43)}`
const body = JSON.stringify({
  fp: 'bench',
  messages: [{ role: 'user', parts: [{ type: 'text', text: 'What is a thread?' }] }],
})

/** @param count Streams to open. @param waitMs Before the process counts as idle. */
export async function benchOpenStreams(count: number, waitMs: number): Promise<void> {
  const server = await startMeasured('docent-server', ['hanging', key])
  await waitUntilReady(server.url)
  await new Promise((resolve) => setTimeout(resolve, waitMs))
  const idle = await server.report()
  const streams = await openStreams(`${server.url}/discovery/v2/assistant/docs/message`, count)
  const open = await server.report()
  for (const stream of streams) stream.destroy()
  await new Promise((resolve) => setTimeout(resolve, waitMs))
  const closed = await server.report()
  console.log(
    `\nMemory of the process (resident): idle ${idle.rssMb.toFixed(0)} MB, with ${count} open answers ${open.rssMb.toFixed(0)} MB, ` +
      `${waitMs / 1_000} s after they closed ${closed.rssMb.toFixed(0)} MB`,
  )
  console.log(`That is ${(((open.rssMb - idle.rssMb) * 1024) / count).toFixed(0)} KB an answer.`)
  console.log('Left out: the sources run here, whose modules take more memory than the bundled program.')
  await server.stop()
}

/** Resolves when every stream has sent its first text. */
async function openStreams(url: string, count: number): Promise<ClientRequest[]> {
  const agent = new Agent({ keepAlive: false })
  const streams: ClientRequest[] = []
  const batch = 100
  for (let opened = 0; opened < count; opened += batch) {
    await Promise.all(
      Array.from(
        { length: Math.min(batch, count - opened) },
        () =>
          new Promise<void>((resolve, reject) => {
            const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` }
            const stream = request(url, { method: 'POST', agent, headers }, (response) => {
              response.on('data', (chunk: Buffer) => chunk.includes('text-delta') && resolve())
              response.on('error', () => {})
            })
            stream.on('error', reject)
            stream.end(body)
            streams.push(stream)
          }),
      ),
    )
  }
  return streams
}
