import { createServer, request as startRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serveMeasurements } from './measured-server.ts'

// The floor of everything that stands between a client and a provider: hands on the bytes and knows nothing of them.

const [upstream = ''] = process.argv.slice(2)

const server = createServer((request, response) => {
  const headers = { 'content-type': 'application/json' }
  const outgoing = startRequest(`${upstream}/chat/completions`, { method: 'POST', headers }, (incoming) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    incoming.pipe(response)
  })
  request.pipe(outgoing)
})
server.listen(0, '127.0.0.1', () => serveMeasurements((server.address() as AddressInfo).port)) // A TCP server has no other.
