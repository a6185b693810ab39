import { chmod, mkdtemp, readdir, readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { removeInstallationValue } from '../../src/store/installation.ts'
import { openStore } from '../../src/store/open-store.ts'
import { sendAsAdmin } from '../support/ask.ts'
import { asAdmin } from '../support/pull-requests.ts'
import { readAddress, runCommand, type RunningCommand } from '../support/run-command.ts'
import { copyUsualFirstStart, type Docent, startDocent } from '../support/start-docent.ts'

// What a start finds: the database, the secret key and the rights of what an earlier start has left.

let folder: string
let others: string[]
beforeEach(async () => {
  others = []
  folder = await makeFolder()
  await copyUsualFirstStart(folder)
})
afterEach(() => Promise.all(others.map((each) => rm(each, { recursive: true, force: true }))))

async function makeFolder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'docent-installation-'))
  others.push(made)
  return made
}

async function withDocent(work: (docent: Docent) => Promise<void>): Promise<void> {
  const docent = await startDocent({ folder })
  try {
    await work(docent)
  } finally {
    await docent.stop()
  }
}

const run = (args: readonly string[], env: Record<string, string> = {}): RunningCommand =>
  runCommand(args, { DOCENT_DATA: folder, PORT: '0', ...env })

async function runToEnd(args: readonly string[], env: Record<string, string> = {}) {
  const command = run(args, env)
  return { code: await command.exit, stderr: command.stderr(), stdout: command.stdout() }
}

/** Stores settings of a model that needs no key. */
const storeModel = () =>
  withDocent(async (docent) => {
    for (const [name, value] of [
      ['modelBaseUrl', 'https://models.example.com/v1'],
      ['model', 'openai-compatible/small'],
    ]) {
      const stored = await sendAsAdmin(docent, 'PUT', `/admin/v1/settings/${name}`, { value })
      expect(stored.status).toBe(200)
    }
  })

describe('a database that was emptied', () => {
  it('stops the start, and a restore brings everything back', async () => {
    const backup = join(await makeFolder(), 'docent.tar')
    expect((await runToEnd(['backup', backup])).code).toBe(0)
    await truncate(join(folder, 'docent.db'), 0)

    const refused = await runToEnd(['start'])
    const restored = await runToEnd(['restore', '--replace', backup])

    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toMatch(/is empty, beside .*docent restore --replace FILE; or, to start over/)
    expect(restored.code).toBe(0)
    await withDocent(async (docent) => expect((await docent.get('/admin/v1/keys', asAdmin)).status).toBe(200))
  })

  it.each(['doctor', 'migrate', 'key list'])('is not made anew by docent %s', async (command) => {
    await rm(join(folder, 'docent.db'))

    const { code } = await runToEnd(command.split(' '))

    expect(code).toBe(1)
    expect(existsSync(join(folder, 'docent.db'))).toBe(false)
  })
})

describe('a database whose file', () => {
  const file = () => join(folder, 'docent.db')
  const search = (docent: Docent) => docent.post('/discovery/v1/search/docs', { query: 'E-42' })

  it('is moved away while it is in use takes in nothing until it is back, and searches go on', async () => {
    await withDocent(async (docent) => {
      await search(docent)
      await rename(file(), `${file()}.moved`)

      const job = await docent.post('/v2/agent/default/job', { prompt: 'Replace "a" by "b".' }, asAdmin)
      await expect.poll(async () => (await docent.get('/readyz')).status).toBe(503)
      const ready = await docent.get('/readyz')
      const found = await search(docent)
      await rename(`${file()}.moved`, file())

      expect([job.status, job.headers.get('retry-after'), found.status]).toEqual([503, '5', 200])
      expect(await ready.json()).toEqual({
        status: 'not_ready',
        reasons: [expect.stringMatching(/^A file of the database was deleted, moved or replaced/)],
      })
      await expect.poll(async () => (await docent.get('/readyz')).status).toBe(200)
      expect((await docent.post('/v2/agent/default/job', { prompt: 'Replace "a" by "b".' }, asAdmin)).status).toBe(201)
    })
  })

  it('is overwritten while it is in use is reported by the probe in its usual form', async () => {
    const docent = await startDocent({ folder })
    const other = new DatabaseSync(file())
    other.exec('pragma wal_checkpoint(truncate)')
    await truncate(file(), 0)

    let ready = await docent.get('/readyz')
    while (ready.status === 200) ready = await docent.get('/readyz')

    expect(ready.status).toBe(503)
    expect(await ready.json()).toEqual({
      status: 'not_ready',
      reasons: ['The database is damaged. Tell the operator, who must restore a backup.'],
    })
    other.close()
    await docent.stop().catch(() => undefined)
  })
})

it('reports repositories that are gone from the disk with 503, and serves them again once they are back', async () => {
  await withDocent(async (docent) => {
    const use = async () => [
      (await docent.get('/git/default/docs.git/info/refs?service=git-upload-pack', asAdmin)).status,
      (await docent.post('/v2/agent/default/job', { prompt: 'Replace "a" by "b".' }, asAdmin)).status,
    ]
    const places = [join(folder, 'repositories'), join(folder, 'elsewhere')] as const

    await rename(...places)
    const gone = await use()
    await rename(places[1], places[0])

    expect(gone).toEqual([503, 503])
    expect(await use()).toEqual([200, 201])
  })
})

describe('a secret key', () => {
  const secretFile = () => join(folder, 'secret-key')

  it('that is lost stops the start, and none is made in its place', async () => {
    await rm(secretFile())

    const { code, stderr } = await runToEnd(['start'])

    expect(code).toBe(1)
    expect(stderr).toContain(`The secret key of this installation is missing: put the file ${secretFile()} back`)
    expect(existsSync(secretFile())).toBe(false)
  })

  it.each([
    ['another one', 'x'.repeat(43)],
    ['emptied', ''],
  ])('that is %s stops the start, and nothing is changed', async (_name, text) => {
    await writeFile(secretFile(), text)

    const { code, stderr } = await runToEnd(['start'])

    expect(code).toBe(1)
    expect(stderr).toMatch(/^The secret key .*DOCENT_SECRET_KEY/m)
    expect(await readFile(secretFile(), 'utf8')).toBe(text)
  })

  it('is tried on what is stored where the database is older than the check', async () => {
    await storeModel()
    const right = await readFile(secretFile(), 'utf8')
    const store = await openStore({ folder })
    await removeInstallationValue(store.durable, 'secret-check')
    await store.close()

    await writeFile(secretFile(), 'x'.repeat(43))
    const refused = await runToEnd(['start'])
    await writeFile(secretFile(), right)
    await withDocent(async () => {})
    await writeFile(secretFile(), 'x'.repeat(43))
    const refusedAgain = await runToEnd(['start'])

    expect([refused.code, refusedAgain.code]).toEqual([1, 1])
  })

  it('may be another one after a restore, and doctor and health name what has to be set again', async () => {
    await storeModel()
    const backup = join(await makeFolder(), 'docent.tar')
    expect((await runToEnd(['backup', backup])).code).toBe(0)
    folder = await makeFolder()
    expect((await runToEnd(['restore', backup])).stdout).toContain('The secret key differs from the one')

    const sentence = 'The stored setting model cannot be read with this secret key'
    await withDocent(async (docent) => {
      const beside = await runToEnd(['doctor'])
      const health = await (await docent.get('/admin/v1/operations/health', asAdmin)).text()
      expect(beside.code).toBe(1)
      expect(beside.stderr + beside.stdout).toContain(sentence)
      expect(health).toContain(sentence)
    })
    const alone = await runToEnd(['doctor'])

    expect(alone.code).toBe(1)
    expect(alone.stderr + alone.stdout).toContain(sentence)
    expect(alone.stdout).not.toContain('Everything works')
  })
})

describe('the data folder', () => {
  async function listOpenToOthers(): Promise<string[]> {
    const names = await readdir(folder, { recursive: true })
    const open: string[] = []
    for (const name of ['.', ...names]) {
      const found = await stat(join(folder, name)).catch(() => null)
      if (found !== null && (found.mode & 0o077) !== 0) open.push(name)
    }
    return open
  }

  async function startAndLook(env: Record<string, string> = {}): Promise<RunningCommand> {
    const running = run(['start'], env)
    await readAddress(running)
    return running
  }

  it.skipIf(process.platform === 'win32')('is closed to others, whatever made it and what lies in it', async () => {
    for (const name of ['.', ...(await readdir(folder, { recursive: true }))]) {
      const path = join(folder, name)
      await chmod(path, (await stat(path)).isDirectory() ? 0o755 : 0o644)
    }

    const running = await startAndLook()
    const [, key = ''] = /svc_(\S+)/.exec(running.stdout()) ?? []
    await expect.poll(listOpenToOthers, { timeout: 10_000 }).toEqual([])
    running.child.kill('SIGTERM')
    await running.exit

    expect(key).toBe('')
    expect(await listOpenToOthers()).toEqual([])
  })

  it('is warned of where others reach the server by plain http, once', async () => {
    const running = await startAndLook({ HOST: '0.0.0.0' })
    running.child.kill('SIGTERM')
    await running.exit
    const doctor = await runToEnd(['doctor'], { HOST: '0.0.0.0' })
    const secured = await runToEnd(['doctor'], { HOST: '0.0.0.0', DOCENT_BASE_URL: 'https://docs.example.com' })

    expect(running.stderr().split('plain-http')).toHaveLength(2)
    expect(doctor).toMatchObject({ code: 0 })
    expect(doctor.stderr + doctor.stdout).toContain('reach this server over plain HTTP')
    expect(secured.stderr + secured.stdout).not.toContain('plain HTTP')
  })
})
