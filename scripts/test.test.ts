import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'

const root = resolve(import.meta.dirname, '..')

/** Runs `npm test` on a folder of its own that holds these test files. */
function runTests(files: Record<string, string>, args: string[] = []) {
  const folder = mkdtempSync(join(tmpdir(), 'docent-inner-tests-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, source] of Object.entries(files)) writeFileSync(join(folder, name), source)
  const config = join(folder, 'vitest.config.mjs')
  // One thread for all files, because starting processes is most of what these runs cost.
  const settings = { globals: true, include: ['*.test.ts'], pool: 'threads', isolate: false, maxWorkers: 1 }
  writeFileSync(config, `export default { test: ${JSON.stringify(settings)} }`)

  const { status, stdout } = spawnSync(
    process.execPath,
    [join(root, 'scripts/test.ts'), '--root', folder, '--config', config, ...args],
    {
      encoding: 'utf8',
    },
  )
  const lines = stdout.trimEnd().split('\n')
  return { status, lastLine: lines.at(-1), lines }
}

describe('npm test', () => {
  it('ends with the counts and exit code 0 when all pass', () => {
    const run = runTests({ 'a.test.ts': `it('a', () => {}); it('b', () => {})` })

    expect(run).toMatchObject({ status: 0, lastLine: '2 passed, 0 failed' })
  })

  it('counts failed tests and ends with another exit code', () => {
    const run = runTests({ 'a.test.ts': `it('a', () => {}); it('b', () => expect(1).toBe(2))` })

    expect(run).toMatchObject({ status: 1, lastLine: '1 passed, 1 failed' })
  })

  it('counts a file that does not load as failed', () => {
    const run = runTests({ 'a.test.ts': `it('a', () => {})`, 'b.test.ts': `import './missing.ts'` })

    expect(run).toMatchObject({ status: 1, lastLine: '1 passed, 1 failed' })
  })

  it('counts a failed hook and an unhandled error as failed', () => {
    const run = runTests({
      'a.test.ts': `describe('s', () => { afterAll(() => { throw new Error('hook') }); it('a', () => {}) })`,
      'b.test.ts': `it('b', async () => { void Promise.reject(new Error('unhandled')); await new Promise(setImmediate) })`,
    })

    expect(run).toMatchObject({ status: 1, lastLine: '2 passed, 2 failed' })
  })

  it('prints the reason of each skip before the counts', () => {
    const run = runTests({
      'a.test.ts': `it('a', () => {}); it('b', ({ skip }) => skip('no browser here')); it.skip('c', () => {})`,
    })

    expect(run).toMatchObject({ status: 0, lastLine: '1 passed, 0 failed, 2 skipped' })
    expect(run.lines).toContain('skipped: no browser here (b)')
    expect(run.lines).toContain('skipped: no reason given (c)')
  })

  it('says so of tests that a failed hook kept from running', () => {
    const hook = `beforeAll(() => { throw new Error('no database') })`
    const run = runTests({
      'a.test.ts': `describe('s', () => { ${hook}; it('a', () => {}); it('b', () => {}) })`,
      'b.test.ts': `${hook}; it('c', () => {})`,
    })

    expect(run).toMatchObject({ status: 1, lastLine: '0 passed, 2 failed, 3 skipped' })
    expect(run.lines).toContain('skipped: a hook of its suite failed (s > a and 1 more)')
    expect(run.lines).toContain('skipped: a hook of its file failed (c)')
  })

  it('fails when there is nothing to run', () => {
    expect(runTests({})).toMatchObject({ status: 1 })
  })

  it('passes arguments on', () => {
    const run = runTests({ 'a.test.ts': `it('a', () => {})`, 'b.test.ts': `it('b', () => {})` }, ['b.test.ts'])

    expect(run.lastLine).toBe('1 passed, 0 failed')
  })

  it('runs one shard of the files', () => {
    const files = { 'a.test.ts': `it('a', () => {})`, 'b.test.ts': `it('b', () => {})` }

    const shards = ['1/2', '2/2'].map((shard) => runTests(files, ['--shard', shard]))

    expect(shards.map(({ lastLine }) => lastLine)).toEqual(['1 passed, 0 failed', '1 passed, 0 failed'])
  })
})
