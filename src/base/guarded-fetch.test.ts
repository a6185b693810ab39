import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { AddressRefusedError, type ResolveHost } from './address-book.ts'
import { createGuardedFetch } from './guarded-fetch.ts'

const guarded = (resolve: ResolveHost) => createGuardedFetch({ allowsPrivateAddresses: false, resolve })
const open = createGuardedFetch({ allowsPrivateAddresses: true })
const toLoopback: ResolveHost = async () => [{ address: '127.0.0.1', family: 4 }]

async function startServer(listener: RequestListener) {
  const server = createServer(listener)
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // A server that listens on a port has an address of this kind.
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => void server.close(resolve))
    },
  }
}

describe('refusals', () => {
  it.each([
    'http://127.0.0.1/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://0/',
    'http://169.254.169.254/latest/meta-data/',
    'http://10.0.0.1/',
    'http://100.64.0.1/',
    'http://[::]/',
    'http://[::1]/',
    'http://[::127.0.0.1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:0:7f00:1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[64:ff9b:1::a9fe:a9fe]/',
    'http://[2001:0:7f00:1::]/',
    'http://[2002:7f00:1::]/',
    'http://[fd00:ec2::254]/',
    'http://[fe80::1]/',
    'http://[fec0::1]/',
    'http://[ff02::1]/',
    'http://named.example/',
  ])('does not reach %s', async (address) => {
    const fetching = guarded(async () => [
      { address: '169.254.169.254', family: 4 },
      { address: '::ffff:127.0.0.1', family: 6 },
    ])(address)

    await expect(fetching).rejects.toThrow(AddressRefusedError)
  })

  it.each(['http://named.example:8080/', 'https://named.example:22/', 'ftp://named.example/', 'file:///etc/passwd'])(
    'does not look up %s',
    async (address) => {
      let lookUps = 0
      const fetching = guarded(async () => {
        lookUps++
        return [{ address: '1.1.1.1', family: 4 }]
      })(address)

      await expect(fetching).rejects.toThrow(AddressRefusedError)
      expect(lookUps).toBe(0)
    },
  )

  it('refuses an address with a password in it', async () => {
    await expect(open('http://me:secret@named.example/')).rejects.toThrow(TypeError)
  })
})

it('asks the name server once for a request, and dials what it said under the name of the host', async () => {
  const hosts: string[] = []
  await using server = await startServer((request, response) => {
    hosts.push(request.headers.host ?? '')
    response.end('here')
  })
  const answers = ['127.0.0.1', '192.0.2.1']
  const fetching = createGuardedFetch({
    allowsPrivateAddresses: true,
    resolve: async () => [{ address: answers.shift() ?? '', family: 4 }],
  })

  const reply = await fetching(`http://rebind.example:${server.port}/a`)

  expect(await reply.text()).toBe('here')
  expect({ hosts, left: answers }).toEqual({ hosts: [`rebind.example:${server.port}`], left: ['192.0.2.1'] })
})

it('judges every look-up anew, so that a name which moves to a private address is refused then', async () => {
  const answers = ['10.0.0.1', '127.0.0.1']
  const fetching = guarded(async () => [{ address: answers.shift() ?? '', family: 4 }])

  await expect(fetching('http://moves.example/')).rejects.toThrow(AddressRefusedError)
  await expect(fetching('http://moves.example/')).rejects.toThrow(AddressRefusedError)
})

it('gives a redirect back and does not follow it', async () => {
  const paths: string[] = []
  await using server = await startServer((request, response) => {
    paths.push(request.url ?? '')
    response.writeHead(302, { location: 'http://169.254.169.254/' }).end()
  })

  const reply = await open(`${server.url}/start`, { redirect: 'follow' })

  expect([reply.status, reply.headers.get('location'), reply.url]).toEqual([
    302,
    'http://169.254.169.254/',
    `${server.url}/start`,
  ])
  expect(paths).toEqual(['/start'])
})

it('sends method, headers and body as fetch does, and reads status, headers and body', async () => {
  let seen: unknown
  await using server = await startServer((request, response) => {
    const chunks: Uint8Array[] = []
    request.on('data', (chunk: Uint8Array) => chunks.push(chunk))
    request.on('end', () => {
      const { method, headers } = request
      seen = { method, type: headers['content-type'], own: headers['x-own'], body: Buffer.concat(chunks).toString() }
      response.writeHead(201, { 'content-type': 'application/json', 'set-cookie': ['a=1', 'b=2'] }).end('{"ok":true}')
    })
  })

  const reply = await open(server.url, {
    method: 'PATCH',
    headers: { 'Content-Type': 'application/json', 'X-Own': 'yes' },
    body: JSON.stringify({ text: 'Grüße' }),
  })

  expect(seen).toEqual({ method: 'PATCH', type: 'application/json', own: 'yes', body: '{"text":"Grüße"}' })
  expect([reply.status, reply.ok, reply.headers.getSetCookie()]).toEqual([201, true, ['a=1', 'b=2']])
  expect(await reply.json()).toEqual({ ok: true })
})

it('unpacks gzip, and has no body where there is none', async () => {
  await using server = await startServer((request, response) => {
    if (request.url === '/none') response.writeHead(204).end()
    else response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('packed'))
  })

  const packed = await open(`${server.url}/packed`)
  const none = await open(`${server.url}/none`)

  expect([await packed.text(), packed.headers.get('content-encoding')]).toEqual(['packed', null])
  expect([none.status, none.body]).toEqual([204, null])
})

describe('a signal that aborts', () => {
  const reason = new Error('enough')

  it('ends a look-up with its reason', async () => {
    const stop = new AbortController()
    const endless = createGuardedFetch({ allowsPrivateAddresses: true, resolve: () => new Promise(() => {}) })
    const fetching = endless('http://slow.example/', { signal: stop.signal })

    stop.abort(reason)

    await expect(fetching).rejects.toBe(reason)
  })

  it('ends the wait for a reply with its reason', async () => {
    const stop = new AbortController()
    await using server = await startServer(() => stop.abort(reason))

    await expect(open(server.url, { signal: stop.signal })).rejects.toBe(reason)
  })

  it('ends the reading of a reply', async () => {
    const stop = new AbortController()
    await using server = await startServer((_, response) => void response.writeHead(200).write('half'))
    const reply = await open(server.url, { signal: stop.signal })
    const reading = reply.text()

    stop.abort(reason)

    await expect(reading).rejects.toBe(reason)
  })
})

it('tells a network that fails as an error, not as a reply', async () => {
  const fetching = createGuardedFetch({ allowsPrivateAddresses: true, resolve: toLoopback })('http://gone.example:1/')

  await expect(fetching).rejects.toThrow('ECONNREFUSED')
})
