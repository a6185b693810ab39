import { deflateRawSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { exchange, type HttpInput, judgeReply } from './exchange.ts'
import { type FuzzTarget, makeTarget } from './fuzz-target.ts'
import type { FuzzedService } from './fuzzed-service.ts'
import { hostileText } from './hostile-values.ts'

const zeros = '0'.repeat(40)
const someId = 'a'.repeat(40)

/** What a client says in one line, without its length. */
const said: readonly string[] = [
  'command=ls-refs\n',
  'command=fetch\n',
  'agent=git/2.39\n',
  'object-format=sha1\n',
  'peel\n',
  'symrefs\n',
  'ref-prefix refs/heads/\n',
  'ref-prefix ../../\n',
  `want ${someId}\n`,
  `want ${zeros} side-band-64k ofs-delta no-progress\n`,
  'want-ref refs/heads/main\n',
  `have ${someId}\n`,
  'deepen 2147483648\n',
  'deepen -1\n',
  'deepen-since 0\n',
  'deepen-not refs/heads/main\n',
  `shallow ${someId}\n`,
  'filter blob:none\n',
  'filter tree:99999999999\n',
  'filter sparse:path=/etc/passwd\n',
  'filter sparse:oid=--help\n',
  'packfile-uris https\n',
  'done\n',
  `${zeros} ${someId} refs/heads/x\0report-status side-band-64k agent=x\n`,
  `${someId} ${zeros} refs/heads/main\0report-status delete-refs\n`,
  `${zeros} ${someId} refs/heads/../../x\0report-status\n`,
  `${zeros} ${someId} --output=/tmp/never\0report-status push-options atomic\n`,
  `${zeros} ${someId} refs/docent/pinned/x\0report-status\n`,
  'push-cert\0\n',
  'PACK\0\0\0\x02\0\0\0\0',
  'PACK\0\0\0\x02\xff\xff\xff\xff',
]

const packet = fc.oneof(fc.constantFrom(...said), hostileText).map((text) => Buffer.from(text, 'latin1'))
const framed = packet.map((line) => Buffer.concat([Buffer.from((line.length + 4).toString(16).padStart(4, '0')), line]))
const misframed = fc
  .tuple(fc.constantFrom('0003', '0004', 'fff0', 'ffff', 'zzzz', '-001', '00', ''), packet)
  .map(([length, line]) => Buffer.concat([Buffer.from(length), line]))
const mark = fc.constantFrom('0000', '0001', '0002').map((text) => Buffer.from(text))
const raw = fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes))
const body = fc
  .array(
    fc.oneof(
      { weight: 6, arbitrary: framed },
      { weight: 3, arbitrary: mark },
      { weight: 2, arbitrary: misframed },
      { weight: 1, arbitrary: packet },
      { weight: 1, arbitrary: raw },
    ),
    { maxLength: 8 },
  )
  .map((parts) => Buffer.concat(parts))

interface GitInput {
  service: 'git-upload-pack' | 'git-receive-pack'
  protocol: string
  encoding: 'none' | 'gzip' | 'cut gzip' | 'not gzip' | 'bomb'
  name: string
  body: Buffer
}

const gitInput: fc.Arbitrary<GitInput> = fc.record({
  service: fc.constantFrom('git-upload-pack', 'git-receive-pack'),
  protocol: fc.constantFrom('version=2', 'version=1', '', 'version=2:version=9', 'version=2\t--upload-pack=x'),
  encoding: fc.constantFrom('none', 'none', 'none', 'gzip', 'cut gzip', 'not gzip', 'bomb'),
  name: fc.oneof(
    { weight: 9, arbitrary: fc.constant('default/docs.git') },
    {
      weight: 1,
      arbitrary: hostileText.map((text) => `default/${encodeURIComponent(text.toWellFormed()).slice(0, 300)}`),
    },
  ),
  body,
})

/** More than may be unpacked, from little: 1 to 1000. */
const bomb = gzipSync(Buffer.alloc(20 * 1024 * 1024))

/** Requests of git clients that are none: broken lines, lies about lengths, compression that is not. */
export function fuzzGit(service: FuzzedService): FuzzTarget {
  const authorization = `Basic ${Buffer.from(`git:${service.adminKey}`).toString('base64')}`
  return makeTarget({
    name: 'git transport',
    share: 0.04,
    arbitrary: gitInput,
    describe: ({ body, ...input }) => JSON.stringify({ ...input, body: body.toString('latin1') }),
    async check(input) {
      const request = toRequest(input, authorization)
      judgeReply(request, await exchange(service.url, request))
    },
  })
}

function toRequest({ service, protocol, encoding, name, body }: GitInput, authorization: string): HttpInput {
  const headers: Record<string, string> = {
    authorization,
    'content-type': `application/x-${service}-request`,
    ...(protocol !== '' && { 'git-protocol': protocol }),
    ...(encoding !== 'none' && { 'content-encoding': 'gzip' }),
  }
  return { method: 'POST', path: `/git/${name}/${service}`, headers, body: pack(encoding, body) }
}

function pack(encoding: GitInput['encoding'], body: Buffer): Buffer {
  switch (encoding) {
    case 'none':
      return body
    case 'gzip':
      return gzipSync(body)
    case 'cut gzip':
      return gzipSync(body).subarray(0, -6)
    case 'not gzip':
      return deflateRawSync(body)
    case 'bomb':
      return bomb
  }
}
