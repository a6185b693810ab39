import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { Worker } from 'node:worker_threads'
import { describe, expect, it } from 'vitest'
import { type ChildRequest, startHere } from './started-child.ts'
import { getSpawnerPath, startChild, startSpawner } from './spawner.ts'
import { startBySpawner } from './start-by-spawner.ts'

await startSpawner()

const readSocketPath = () => getSpawnerPath() ?? ''
const env = { PATH: process.env['PATH'] ?? '', LC_ALL: 'C' }
const request = (args: readonly string[], more: Partial<ChildRequest> = {}): ChildRequest => ({
  program: 'git',
  args,
  env,
  hasHelpers: false,
  cleanupMs: 0,
  ...more,
})
/** Tells processes of this file from those of any other that runs on the machine. */
const mark = `docent.test=${process.pid}`
const sleep = `sleep 61.${process.pid}`
/** Reads its input to the end. */
const reading = request(['-c', mark, 'hash-object', '--stdin'])
const listProcesses = (word: string) =>
  execFileSync('ps', ['-eo', 'pid=,args='])
    .toString()
    .split('\n')
    .filter((line) => line.includes(word))

describe.each([
  ['a child of this process', startHere],
  ['a process of the spawner', (asked: ChildRequest) => startBySpawner(readSocketPath(), asked)],
])('git as %s', (_name, start) => {
  it('gets its input and hands over its output whole, however large', async () => {
    const input = 'line of text\n'.repeat(200_000)
    const git = start(request(['stripspace']))

    git.stdin.end(input)

    expect(await text(git.stdout)).toBe(input)
    expect(await git.ended).toEqual({ exitCode: 0, stderr: '' })
  })

  it('ends with its exit code and what it wrote to standard error', async () => {
    const git = start(request(['no-such-command']))
    git.stdin.end()
    git.stdout.resume()

    expect(await git.ended).toEqual({ exitCode: 1, stderr: expect.stringContaining('is not a git command') })
  })

  it('may end without having read its input', async () => {
    const git = start(request(['version']))
    git.stdin.on('error', () => {})
    git.stdin.end('x'.repeat(1_000_000))

    expect(await text(git.stdout)).toMatch(/^git version/u)
    expect(await git.ended).toMatchObject({ exitCode: 0 })
  })

  it('is killed on request, with its helpers', async () => {
    const git = start(request(['-c', `alias.wait=!${sleep}`, 'wait'], { hasHelpers: true }))
    git.stdout.resume()
    await expect.poll(() => listProcesses(sleep)).not.toEqual([])

    git.kill()

    expect(await git.ended).toMatchObject({ exitCode: null })
    await expect.poll(() => listProcesses(sleep)).toEqual([])
  })

  it('says as the system does why it cannot be started', async () => {
    const git = start(request(['version'], { env: { PATH: '/nonexistent' } }))
    git.stdin.on('error', () => {})
    git.stdout.resume()

    await expect(git.ended).rejects.toMatchObject({ code: 'ENOENT' })
  })
})

it('starts git from threads by the spawner of their process', async () => {
  const code = `
    import(${JSON.stringify(new URL('./spawner.ts', import.meta.url).href)}).then(async ({ startChild }) => {
      const git = startChild(${JSON.stringify(request(['-c', 'alias.parent=!ps -o args= -p $(ps -o ppid= -p $PPID)', 'parent']))})
      git.stdin.end()
      let output = ''
      for await (const chunk of git.stdout) output += chunk
      require('node:worker_threads').parentPort.postMessage(output)
    })`
  const [output] = (await once(new Worker(code, { eval: true, execArgv: [] }), 'message')) as [string]

  expect(output).toContain('spawner-process')
})

it('refuses arguments that no process can have, and starts the next command', async () => {
  const refused = startChild(request(['version\0']))
  refused.stdout.resume()

  await expect(refused.ended).rejects.toThrow('null bytes')
  await expect(endOf(request(['version']))).resolves.toMatchObject({ exitCode: 0 })
})

it('fails the commands of a spawner that is killed, and starts the next by another', async () => {
  const path = readSocketPath()
  const git = startChild(reading)
  git.stdin.on('error', () => {})
  git.stdout.resume()
  await expect.poll(() => listProcesses(mark)).not.toEqual([])

  execFileSync('pkill', ['-KILL', '-f', path])

  await expect(git.ended).rejects.toThrow('The process that starts git ended. Try again.')
  await expect.poll(readSocketPath).not.toBe(path)
  await expect.poll(() => endOf(request(['version']))).toMatchObject({ exitCode: 0 })
  await expect.poll(() => listProcesses(mark)).toEqual([])
})

it('ends what it started, and itself, after its process is killed', async () => {
  const code = `
    import { startChild, startSpawner } from ${JSON.stringify(new URL('./spawner.ts', import.meta.url).href)}
    await startSpawner()
    startChild(${JSON.stringify(request(['-c', `alias.wait=!${sleep}`, 'wait'], { hasHelpers: true }))}).stdin.write('x')
    setInterval(() => {}, 1_000)`
  const owner = spawn(process.execPath, ['--input-type=module-typescript', '-e', code], { stdio: 'ignore' })
  await expect.poll(() => listProcesses(sleep), { timeout: 20_000 }).not.toEqual([])

  owner.kill('SIGKILL')
  await once(owner, 'exit')

  await expect.poll(() => listProcesses(sleep)).toEqual([])
}, 60_000)

async function endOf(asked: ChildRequest) {
  const git = startChild(asked)
  git.stdin.end()
  git.stdout.resume()
  return git.ended
}
