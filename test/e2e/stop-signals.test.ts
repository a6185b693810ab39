import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { copyUsualFirstStart } from '../support/start-docent.ts'
import { type NpmStart, startThroughNpm } from '../support/start-through-npm.ts'

// npm start in this checkout, told to stop at each link of the chain npm → run.js → server. packaging.test.ts does the same
// with the shell that npx keeps in between.

const root = resolve(import.meta.dirname, '../..')

let folder: string
let started: NpmStart | null = null
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docent-test-'))
  await copyUsualFirstStart(folder)
})
afterEach(async () => {
  started?.kill()
  await rm(folder, { recursive: true, force: true })
})

const start = async () =>
  (started = await startThroughNpm({ command: ['npm', 'start'], cwd: root, dataFolder: folder }))

describe.skipIf(process.platform !== 'linux')('npm start', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('passes %s on, stops gracefully and ends with 0', async (signal) => {
    const { child, exit, stderr, untilGone } = await start()

    child.kill(signal)

    expect(await exit).toEqual([0, null])
    await untilGone()
    expect(stderr()).toContain('server-stopped')
  })

  it.each(['SIGHUP', 'SIGKILL'] as const)('leaves nothing behind when %s ends npm itself', async (signal) => {
    const { child, exit, stderr, untilGone } = await start()

    child.kill(signal)

    expect(await exit).toEqual([null, signal])
    await untilGone()
    expect(stderr()).toContain('server-stopped')
  })

  // npm passes the others on to it.
  it('stops gracefully at SIGHUP to run.js', async () => {
    const { exit, listProcesses, stderr, untilGone } = await start()
    const script = listProcesses().find(({ command }) => /^\S*node scripts\/run\.js/.test(command))

    process.kill(script?.id ?? 0, 'SIGHUP')

    expect(await exit).toEqual([0, null])
    await untilGone()
    expect(stderr()).toContain('server-stopped')
  })

  it('stops gracefully when Ctrl-C reaches every process of the terminal at once', async () => {
    const { exit, listProcesses, stderr, untilGone } = await start()

    for (const { id } of listProcesses()) process.kill(id, 'SIGINT')

    expect(await exit).toEqual([0, null])
    await untilGone()
    expect(stderr()).toContain('server-stopped')
  })
})
