import { connect } from 'node:net'
import fc from 'fast-check'
import { type FuzzTarget, makeTarget } from './fuzz-target.ts'
import type { FuzzedService } from './fuzzed-service.ts'
import { hostileText } from './hostile-values.ts'

const requestLines: readonly string[] = [
  'GET / HTTP/1.1',
  'GET /healthz HTTP/1.1',
  'GET /healthz HTTP/1.0',
  'GET /healthz HTTP/9.9',
  'GET //healthz HTTP/1.1',
  'GET http://169.254.169.254/latest HTTP/1.1',
  'GET http://[::1 HTTP/1.1',
  'GET /sites/docs/../../../etc/passwd HTTP/1.1',
  'GET /dashboard/assets/..%2f..%2f..%2fpackage.json HTTP/1.1',
  'GET /%zz%ff%00 HTTP/1.1',
  'GET \\\\host\\share HTTP/1.1',
  'GET ?x HTTP/1.1',
  'OPTIONS * HTTP/1.1',
  'CONNECT 127.0.0.1:22 HTTP/1.1',
  'TRACE / HTTP/1.1',
  'POST /discovery/v2/assistant/docs/message HTTP/1.1',
  'POST /admin/v1/sites HTTP/1.1',
  'PRI * HTTP/2.0',
]
const headerLines: readonly string[] = [
  'Host: a',
  'Host: a, b',
  'Host: a:99999999',
  'Host: [::1',
  'Host: user@evil.example/x?y#z',
  'Content-Length: 5',
  'Content-Length: -1',
  'Content-Length: 18446744073709551616',
  'Transfer-Encoding: chunked',
  'Transfer-Encoding: chunked, identity',
  'Content-Type: application/json',
  'Connection: close',
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Upgrade: h2c',
  'Expect: 100-continue',
  'Expect: the worst',
  'X-Forwarded-Proto: javascript',
  'X-Forwarded-Host: evil.example',
  `X-Long: ${'x'.repeat(20_000)}`,
  'Authorization: Basic ////',
  'Cookie: ' + 'a=b; '.repeat(500),
]
const bodies: readonly string[] = [
  '',
  '{}',
  '{"fp":',
  '5\r\nhello\r\n0\r\n\r\n',
  'ffffffffffff\r\n',
  '0\r\nX: y\r\n\r\n',
  '-1\r\n',
]

const wellFormed = fc
  .record({
    line: fc.constantFrom(...requestLines),
    headers: fc.array(
      fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...headerLines) }, { weight: 1, arbitrary: hostileText }),
      { maxLength: 5 },
    ),
    body: fc.constantFrom(...bodies),
    end: fc.constantFrom('\r\n', '\r\n', '\r\n', '\n'),
  })
  .map(({ line, headers, body, end }) => Buffer.from([line, ...headers, '', body].join(end), 'latin1'))
const bytes = fc.oneof(
  { weight: 6, arbitrary: wellFormed },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((raw) => Buffer.from(raw)) },
)

/** Longest time until the service has said something or has gone, once nothing more comes. */
const answerMsMax = 120_000

/** Bytes on a socket that are not a request, or barely one. */
export function fuzzSockets(service: FuzzedService): FuzzTarget {
  return makeTarget({
    name: 'raw bytes',
    share: 0.06,
    arbitrary: bytes,
    describe: (input) => JSON.stringify(input.toString('latin1')),
    check: async (input) => judgeText(await send(service.url, input)),
  })
}

/** The sending side is closed after the bytes, so that nothing waits for more. */
function send(url: string, input: Buffer): Promise<string> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
    const timer = setTimeout(() => {
      socket.destroy()
      reject(new Error('Neither an answer nor an end.'))
    }, answerMsMax)
    let text = ''
    socket.setEncoding('latin1')
    socket.on('data', (chunk: string) => void (text += chunk))
    // A reset is an answer as well: it says that these bytes are refused.
    socket.on('error', () => {})
    socket.on('close', () => {
      clearTimeout(timer)
      resolve(text)
    })
    socket.on('end', () => socket.end())
    socket.end(input)
  })
}

function judgeText(text: string): void {
  if (text === '') return
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1])
  if (Number.isNaN(status)) throw new Error(`An answer that is not HTTP: ${text.slice(0, 200)}`)
  if (status >= 500 && status !== 503) throw new Error(`Status ${status}: ${text.slice(0, 500)}`)
  const leaks = /root:x:0:|"private": true|\bat \S+ \(file:/.exec(text)
  if (leaks !== null) throw new Error(`Gives away ${leaks[0]}`)
}
