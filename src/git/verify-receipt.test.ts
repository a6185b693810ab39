import { execFileSync } from 'node:child_process'
import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createGitRepository, type GitRepository } from '../../test/support/git-repository.ts'
import {
  canonicalize,
  checkReceipt,
  describeReport,
  keyIdOf,
  receiptFields,
  receiptFormat,
  type ReceiptKey,
  verifyFiles,
} from './verify-receipt.mjs'

const page = '# Keys\n\nRun `docent key create` to **create** one.\nIt prints the key once.\n'

let repository: GitRepository
let commit: string

beforeAll(async () => {
  repository = await createGitRepository()
  await repository.write('docs/keys.md', page)
  await repository.write('-c', page)
  commit = repository.commit()
  return () => repository.remove()
})

const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const ownKey = publicKey.export({ format: 'jwk' }) as ReceiptKey // Of this type, as generated.

/** A receipt with one citation, signed as it is, whatever its values are. */
function makeReceipt(source: object = {}, quote = 'Run docent key create to create one.', changes: object = {}) {
  const sha256 = createHash('sha256')
    .update('Run `docent key create` to **create** one.\nIt prints the key once.\n')
    .digest('hex')
  const place = { commit, file: 'docs/keys.md', lines: [3, 4], sha256, ...source }
  const unsigned = {
    ...Object.fromEntries(receiptFields.map((name) => [name, 'a'])),
    format: receiptFormat,
    covers: receiptFields.filter((name) => name !== 'signature'),
    key: keyIdOf(ownKey),
    citations: [{ quote, answer: { start: 0, end: 9 }, source: place }],
    ...changes,
    signature: undefined,
  }
  const { signature: _none, ...covered } = unsigned
  const signature = sign(null, Buffer.from(canonicalize(covered)), privateKey).toString('base64url')
  return { receipt: { ...covered, signature }, keys: [ownKey] as ReceiptKey[] | null }
}

function check({ receipt, keys }: ReturnType<typeof makeReceipt>, text = JSON.stringify(receipt)) {
  return checkReceipt(Buffer.from(text), { repository: repository.folder, keys })
}

async function reasonFor(source: object, quote?: string): Promise<string> {
  const report = await check(makeReceipt(source, quote))
  expect(report.verified).toBe(false)
  return describeReport(report).join('\n')
}

describe('canonicalize', () => {
  it('writes the example of RFC 8785 as it is printed there', () => {
    const value: unknown = JSON.parse(
      '{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],"string":"\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/","literals":[null,true,false]}',
    )

    expect(canonicalize(value)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    )
  })

  it('sorts names by UTF-16 code units, as the RFC shows', () => {
    const names = { '\u20ac': 1, '\r': 2, '\ufb33': 3, '1': 4, '\ud83d\ude00': 5, '\u0080': 6, '\u00f6': 7 }

    expect([...canonicalize(names).matchAll(/:(\d)/g)].map(([, place]) => place).join('')).toBe('2467153')
  })

  it.each([[Number.NaN], ['\ud800'], [undefined]])('refuses %j, which has no exact JSON', (value) => {
    expect(() => canonicalize([value])).toThrow('cannot represent')
  })
})

describe('a receipt', () => {
  it('verifies against the key and the repository', async () => {
    const report = await check(makeReceipt())

    expect(report).toMatchObject({ verified: true, origin: 'checked', citations: [{ status: 'held' }] })
    expect(describeReport(report).at(-1)).toBe('Origin and citations checked (1 of 1).')
  })

  it('of a file whose name begins like an option verifies', async () => {
    expect((await check(makeReceipt({ file: '-c' }))).verified).toBe(true)
  })

  it('verifies however its JSON is laid out', async () => {
    const made = makeReceipt()
    const sorted = canonicalize(made.receipt).replace('"a"', String.raw`"\u0061"`)

    expect((await check(made, sorted)).verified).toBe(true)
    expect((await check(made, JSON.stringify(made.receipt, null, '\t'))).verified).toBe(true)
  })

  it('without a key is said to have no checked origin', async () => {
    const report = await check({ ...makeReceipt(), keys: null })

    expect(describeReport(report).at(-1)).toBe('Citations checked (1 of 1), origin not.')
  })

  it('without a repository is said to have no checked citations', async () => {
    const { receipt, keys } = makeReceipt()
    const report = await checkReceipt(Buffer.from(JSON.stringify(receipt)), { keys })

    expect(describeReport(report).at(-1)).toBe('Origin checked, citations not.')
  })

  it('is not verified if nothing could be checked', async () => {
    const made = makeReceipt({ file: null, lines: null, sha256: null, commit: null })

    expect(describeReport(await check({ ...made, keys: null })).at(-1)).toBe('Not verified: nothing could be checked.')
  })

  it('with a further field is refused by its name, also if it claims that the field is covered', async () => {
    const made = makeReceipt()
    const more = { ...made.receipt, note: 'Trust me.', covers: [...made.receipt.covers, 'note'] }

    expect((await check(made, JSON.stringify(more))).problem).toContain('does not cover these fields: "note"')
    expect((await check({ ...made, keys: null }, JSON.stringify(more))).problem).toContain('"note"')
  })

  it('with a name twice is refused, whichever value a parser would take', async () => {
    const made = makeReceipt()
    const text = JSON.stringify(made.receipt)

    expect((await check(made, `{"text":"Forged",${text.slice(1)}`)).problem).toContain('twice')
    expect((await check(made, text.replace('"start":0', '"start":1,"start":0'))).problem).toContain('twice')
    expect((await check(made, text.replace('"start":0', '"start":0.0'))).problem).toContain('plain form')
  })

  it('signed with another key is refused', async () => {
    const made = makeReceipt()
    const other: ReceiptKey = { kty: 'OKP', crv: 'Ed25519', x: 'A'.repeat(43) }

    expect((await check({ ...made, keys: [other] })).problem).toContain('not with the given one')
  })

  it.each([
    ['[', 4 << 20],
    ['{"a":', 1 << 20],
    ['"', 5 << 20],
    ['\ufeff', 1],
    ['\0', 100],
  ])('made of %j again and again is no receipt, and said so soon', async (piece, times) => {
    const startedAt = performance.now()

    const report = await checkReceipt(Buffer.from(piece.repeat(times)), { repository: repository.folder })

    expect(report).toMatchObject({ verified: false, problem: expect.any(String) })
    expect(performance.now() - startedAt).toBeLessThan(20_000)
  })

  it('of megabytes verifies', async () => {
    const made = makeReceipt({ file: null }, 'x', { text: '"\\ü'.repeat(500_000) })

    expect((await check(made)).origin).toBe('checked')
  })
})

describe('a citation', () => {
  it('does not hold if its lines, their hash or its quote are others', async () => {
    expect(await reasonFor({ lines: [2, 4] })).toContain('another SHA-256')
    expect(await reasonFor({ lines: [3, 5] })).toContain('fewer lines')
    expect(await reasonFor({}, 'Run docent key remove')).toContain('the quote is not in these lines')
    expect(await reasonFor({}, 'un docent key create')).toContain('the quote is not in these lines')
  })

  it.each([
    { file: '../docs/keys.md' },
    { file: 'docs/../docs/keys.md' },
    { file: '/etc/passwd' },
    { file: './docs/keys.md' },
    { file: '' },
    { file: 'docs//keys.md' },
    { file: 'docs/keys.md\n' },
    { file: ['docs/keys.md'] },
    { file: 'x'.repeat(1 << 20) },
  ])('of the file $file is refused before git sees it', async (source) => {
    expect(await reasonFor(source)).toContain('is not a path in a repository')
  })

  it.each(['HEAD', '--output=x', 'HEAD:docs', '0'.repeat(39), `${'a'.repeat(40)} `, ['a'.repeat(40)], null, 7])(
    'of the commit %j is refused before git sees it',
    async (commit) => {
      expect(await reasonFor({ commit })).toContain('is not the full id of a commit')
    },
  )

  it.each([[[0, 1]], [[2, 1]], [[1, 1e300]], [[1.5, 2]], ['1-2'], [[1]], [{ length: 2 }]])(
    'of the lines %j is refused',
    async (lines) => {
      expect(await reasonFor({ lines })).toContain('is not a range of lines')
    },
  )

  it('of as many lines as a number can say is refused at once', async () => {
    expect(await reasonFor({ lines: [1, Number.MAX_SAFE_INTEGER] })).toContain('fewer lines')
    expect(await reasonFor({ lines: [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER] })).toContain('fewer lines')
  })

  it('of a blob, a tree or an unknown commit is refused', async () => {
    const tree = repository.git(['rev-parse', 'HEAD^{tree}'])

    for (const id of [tree, 'a'.repeat(40)]) expect(await reasonFor({ commit: id })).toContain('git cannot read it')
    expect(await reasonFor({ file: 'docs' })).toContain('git cannot read it')
  })

  it('shows no control character of a receipt', async () => {
    const told = await reasonFor({ file: '\u001b[2J\u202ex\u009b/..' })

    expect(told).not.toMatch(/[\p{Cf}]|[^\P{Cc}\n]/u)
  })
})

describe('git', () => {
  it('runs nothing that the repository or the environment names', async () => {
    const trap = await repository.writeTrap('trap')
    await writeFile(join(repository.folder, '.git', 'info', 'attributes'), '* filter=trap diff=trap\n')
    for (const [name, value] of Object.entries({
      'filter.trap.smudge': trap,
      'diff.trap.textconv': trap,
      'core.fsmonitor': trap,
      'core.pager': trap,
      'core.sshCommand': trap,
      'remote.origin.url': 'ssh://x/y',
      'remote.origin.promisor': 'true',
    }))
      repository.git(['config', name, value])
    const env = { ...process.env, GIT_DIR: '/nowhere', GIT_EXTERNAL_DIFF: trap, GIT_SSH_COMMAND: trap, GIT_PAGER: trap }
    const { receipt } = makeReceipt({ commit: 'a'.repeat(40) })
    const file = join(repository.outside, 'receipt.json')
    await writeFile(
      file,
      JSON.stringify({ ...receipt, citations: [...receipt.citations, ...makeReceipt().receipt.citations] }),
    )

    const { stdout } = runScript([file, '--repository', repository.folder], env)

    expect(stdout).toMatch(/Citation 1 does not hold: git cannot read it.*\nCitation 2 holds/)
    expect(existsSync(join(repository.outside, 'trap.fired'))).toBe(false)
  })

  it('ignores replacements of objects', async () => {
    const blob = repository.git(['rev-parse', 'HEAD:docs/keys.md'])
    const other = repository.git(['hash-object', '-w', '--stdin'], { input: 'Forged\n' })
    repository.git(['replace', blob, other])
    onTestFinished(() => void repository.git(['replace', '-d', blob]))

    expect((await check(makeReceipt())).verified).toBe(true)
  })
})

describe('the script', () => {
  it('exits with 0, 1 or 2', async () => {
    const { receipt, keys } = makeReceipt()
    const [file, key, forged] = ['r.json', 'key.json', 'f.json'].map((name) => join(repository.outside, name))
    await writeFile(file ?? '', JSON.stringify(receipt))
    await writeFile(key ?? '', JSON.stringify(keys?.[0]))
    await writeFile(forged ?? '', JSON.stringify({ ...receipt, text: 'Forged' }))
    const args = ['--repository', repository.folder, '--key', key ?? '']

    expect(runScript([file ?? '', ...args])).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('Origin and citations checked'),
    })
    expect(runScript([forged ?? '', ...args])).toMatchObject({
      status: 1,
      stdout: expect.stringContaining('Not verified.'),
    })
    expect(runScript([])).toMatchObject({ status: 2 })
    expect(runScript([file ?? ''])).toMatchObject({ status: 2 })
    expect(runScript(['/dev/zero', ...args])).toMatchObject({ status: 2 })
    for (const folder of ['/nowhere', repository.outside, file ?? '']) {
      expect(runScript([file ?? '', '--repository', folder])).toMatchObject({
        status: 2,
        stderr: `"${folder}" is not a git repository.\n`,
      })
    }
  })
})

describe('the key', () => {
  it('comes from a URL, but not by http from another machine, nor by a redirect', async () => {
    const { receipt, keys } = makeReceipt()
    const file = join(repository.outside, 'by-url.json')
    await writeFile(file, JSON.stringify(receipt))
    const server = createServer((request, response) => {
      if (request.url === '/moved') response.writeHead(302, { location: '/key' }).end()
      else response.end(JSON.stringify(keys?.[0]))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

    expect((await verifyFiles({ receipt: file, key: `${url}/key` })).origin).toBe('checked')
    await expect(verifyFiles({ receipt: file, key: `${url}/moved` })).rejects.toThrow('redirect')
    await expect(verifyFiles({ receipt: file, key: 'http://docs.example/key' })).rejects.toThrow('https')
  })
})

function runScript(
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): { status: number; stdout: string; stderr?: string } {
  const script = fileURLToPath(new URL('verify-receipt.mjs', import.meta.url))
  try {
    return { status: 0, stdout: execFileSync('node', [script, ...args], { env, encoding: 'utf8', stdio: 'pipe' }) }
  } catch (error) {
    return error as { status: number; stdout: string; stderr: string } // As `execFileSync` throws it.
  }
}
