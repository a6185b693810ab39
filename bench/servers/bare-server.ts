import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serveMeasurements } from './measured-server.ts'

// The floor: a server that knows nothing and writes the frames of a real answer, one write per frame as a hand-written
// stream does, or all in one write where the path is /whole.

const frames = JSON.parse(process.argv[2] ?? '[]') as string[] // Written by the benchmark that starts this file.
const whole = frames.join('')
const headers = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache',
  'x-vercel-ai-ui-message-stream': 'v1',
}

const server = createServer((request, response) => {
  request.resume()
  request.once('end', () => {
    response.writeHead(200, headers)
    if (request.url === '/whole') return response.end(whole)
    for (const frame of frames) response.write(frame)
    return response.end()
  })
})
server.listen(0, '127.0.0.1', () => serveMeasurements((server.address() as AddressInfo).port)) // A TCP server has no other.
