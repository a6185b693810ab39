import { execFileSync } from 'node:child_process'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createGitRepository } from '../../test/support/git-repository.ts'
import { forgetObjects, openObjects } from './repository-objects.ts'
import { resolveObject, resolveObjects } from './resolve-commit.ts'

const live = new AbortController().signal
const bytesMax = 1_000_000

async function setup(text = '# Page\n') {
  const repository = await createGitRepository()
  onTestFinished(repository.remove)
  await repository.write('page.md', text)
  const commit = repository.commit()
  const gitDirectory = join(repository.folder, '.git')
  onTestFinished(() => forgetObjects(gitDirectory))
  const read = async (object = 'HEAD:page.md', signal = live) => {
    const objects = await openObjects(gitDirectory)
    const found = await objects.ask({ command: 'contents', object, bytesMax }, signal)
    return found === null ? null : Buffer.from(found.bytes).toString('utf8')
  }
  return { ...repository, gitDirectory, commitId: commit, read }
}

/** Processes that read the repository, by their id. */
function listReaders(gitDirectory: string): number[] {
  const lines = execFileSync('ps', ['-eo', 'pid=,args=']).toString().split('\n')
  return lines.filter((line) => line.includes(`${gitDirectory} cat-file`)).map((line) => Number.parseInt(line, 10))
}

it('asks one process, however many ask at once, and sees what is written meanwhile', async () => {
  const { gitDirectory, write, commit, read, commitId } = await setup()
  const answers = await Promise.all([read(), read(), resolveObjects(gitDirectory, ['HEAD', 'nowhere'], live)])
  await write('page.md', 'new')
  const next = commit()

  expect(answers).toEqual(['# Page\n', '# Page\n', [commitId, null]])
  expect([await read(), await resolveObject(gitDirectory, 'HEAD', live)]).toEqual(['new', next])
  expect(listReaders(gitDirectory)).toHaveLength(1)
})

it('asks again, once, what a process that was killed has not answered', async () => {
  const { gitDirectory, read } = await setup()
  await read()
  const [reader = 0] = listReaders(gitDirectory)
  process.kill(reader, 'SIGSTOP')
  const reading = read()

  process.kill(reader, 'SIGKILL')

  expect(await reading).toBe('# Page\n')
})

it('knows nothing of a repository that another one replaced', async () => {
  const one = await setup('one')
  const other = await setup('other')
  await one.read()
  await rename(one.gitDirectory, `${one.gitDirectory}.aside`)
  await expect(one.read()).rejects.toThrow('not a git repository')
  await rename(other.gitDirectory, one.gitDirectory)

  expect(await one.read()).toBe('other')
  expect(await one.read(`${one.commitId}^{tree}`)).toBe(null)
})

it('answers others when one is cancelled, and ends when nobody waits', async () => {
  const { gitDirectory, read } = await setup()
  await read()
  const [reader = 0] = listReaders(gitDirectory)
  process.kill(reader, 'SIGSTOP')
  const controller = new AbortController()
  const cancelled = [read('HEAD:page.md', controller.signal), read('HEAD', controller.signal)]
  const other = read()
  await vi.waitFor(async () => expect((await openObjects(gitDirectory)).isIdle).toBe(false))

  controller.abort(new Error('enough'))

  await Promise.all(cancelled.map((each) => expect(each).rejects.toThrow('enough')))
  process.kill(reader, 'SIGCONT')
  expect(await other).toBe('# Page\n')
  const late = new AbortController()
  process.kill(reader, 'SIGSTOP')
  const last = read('HEAD', late.signal)
  await vi.waitFor(async () => expect((await openObjects(gitDirectory)).isIdle).toBe(false))
  late.abort(new Error('enough'))
  await expect(last).rejects.toThrow('enough')
  await expect.poll(() => listReaders(gitDirectory)).toEqual([])
})

it('passes over an object that is too large, and goes on', async () => {
  const { read, write, commit } = await setup()
  await write('large.bin', 'x'.repeat(bytesMax + 1))
  await write('huge.bin', 'x'.repeat(65 * 1024 * 1024))
  commit()

  const answers = await Promise.allSettled([read('HEAD:large.bin'), read('HEAD:huge.bin'), read()])

  expect(answers).toMatchObject([
    { status: 'rejected', reason: { message: expect.stringContaining('at most 1000000 are read') as unknown } },
    { status: 'rejected', reason: { message: expect.stringContaining('at most 1000000 are read') as unknown } },
    { status: 'fulfilled', value: '# Page\n' },
  ])
})

it('keeps no process running that has asked', async () => {
  const { gitDirectory } = await setup()
  const module = new URL('./resolve-commit.ts', import.meta.url).href
  const code = `
    import { resolveObject } from ${JSON.stringify(module)}
    await resolveObject(${JSON.stringify(gitDirectory)}, 'HEAD', new AbortController().signal)
    process.stdout.write(JSON.stringify(process.getActiveResourcesInfo()))`

  const output = execFileSync(process.execPath, ['--input-type=module-typescript', '-e', code]).toString()

  const active = JSON.parse(output) as string[]
  expect(active.filter((each) => /^(?:ProcessWrap|Timeout)$/.test(each))).toEqual([])
})

it('keeps few processes that nobody asks', async () => {
  const repositories = await Promise.all(Array.from({ length: 10 }, () => setup()))

  for (const { read } of repositories) await read()

  const kept = () => repositories.filter(({ gitDirectory }) => listReaders(gitDirectory).length > 0)
  await expect.poll(() => kept().length).toBeLessThanOrEqual(8)
})
