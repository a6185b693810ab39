import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, expect, it } from 'vitest'
import { restoreBackup } from '../../src/backup/restore-backup.ts'
import { verifyBackup } from '../../src/backup/verify-backup.ts'
import { openStore } from '../../src/store/open-store.ts'
import { runCommand } from '../support/run-command.ts'

const folders: string[] = []
const { signal } = new AbortController()

afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true })
})

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'docent-backup-e2e-'))
  folders.push(folder)
  return folder
}

async function run(args: readonly string[], folder: string): Promise<{ exit: number | null; text: string }> {
  const command = runCommand(args, { DOCENT_DATA: folder })
  const exit = await command.exit
  return { exit, text: command.stdout() + command.stderr() }
}

/** Waits until a folder is not empty, or the process has ended. */
async function waitForFile(folder: string, pattern: RegExp, exit: Promise<unknown>): Promise<void> {
  const ended = exit.then(() => true)
  for (;;) {
    if ((await readdir(folder)).some((name) => pattern.test(name))) return
    if (await Promise.race([ended, wait(5, false)])) return
  }
}

it('backs up beside a process that writes: every row that was confirmed before is in it, and no row half', async () => {
  const [folder, other] = [await makeFolder(), await makeFolder()]
  const writer = spawn(process.execPath, [join(import.meta.dirname, '../support/store-writer.ts'), folder, 'row'])
  const confirmed: string[] = []
  const lines = createInterface({ input: writer.stdout })
  lines.on('line', (line) => confirmed.push(line))
  while (confirmed.length < 200) await once(lines, 'line')
  const before = [...confirmed]

  const backup = await run(['backup', join(folder, 'live.tar')], folder)
  writer.kill('SIGKILL')
  await once(writer, 'close')
  const file = join(folder, 'live.tar')
  await restoreBackup({ file, dataFolder: other, shared: null, replaces: false, now: 1, signal })

  expect(backup).toMatchObject({ exit: 0 })
  const store = await openStore({ folder: other })
  const rows = await store.durable.selectFrom('installation').select('name').execute()
  const counter = await store.durable.selectFrom('counters').select('count').executeTakeFirst()
  await store.close()
  const names = new Set(rows.map(({ name }) => name))
  expect(before.filter((name) => !names.has(name))).toEqual([])
  // Each row is counted before it is written, so that one moment never shows more rows than counts.
  expect(counter?.count ?? 0).toBeGreaterThanOrEqual(rows.length)
}, 240_000)

it('survives a kill in the middle of a backup and of a restore: the next try succeeds', async () => {
  const [folder, other] = [await makeFolder(), await makeFolder()]
  const store = await openStore({ folder })
  for (let batch = 0; batch < 40; batch++) {
    const values = Array.from({ length: 100 }, (_, row) => ({ name: `${batch}-${row}`, value: 'x'.repeat(2_000) }))
    await store.durable.insertInto('installation').values(values).execute()
  }
  await store.close()
  const file = join(folder, 'killed.tar')

  const backup = runCommand(['backup', file], { DOCENT_DATA: folder })
  await waitForFile(folder, /unfinished/u, backup.exit)
  backup.child.kill('SIGKILL')
  await backup.exit
  const again = await run(['backup', file], folder)
  const restore = runCommand(['restore', file], { DOCENT_DATA: other })
  await waitForFile(other, /restore\.unfinished/u, restore.exit)
  restore.child.kill('SIGKILL')
  await restore.exit
  // Complete or not there at all, whenever the kill has come.
  const replaces = (await readdir(other)).includes('docent.db')
  const { rowCount } = await restoreBackup({ file, dataFolder: other, shared: null, replaces, now: 1, signal })

  expect(again).toMatchObject({ exit: 0 })
  expect((await readdir(folder)).filter((name) => name.includes('unfinished'))).toEqual([])
  expect(rowCount).toBe(4_000)
  expect((await verifyBackup(file, signal)).tables.find(({ name }) => name === 'installation')?.rowCount).toBe(4_000)
}, 240_000)

it('tells what is wrong with a file, with exit code 1', async () => {
  const folder = await makeFolder()

  const { exit, text } = await run(['backup', 'verify', join(folder, 'none.tar')], folder)

  expect({ exit, text }).toEqual({ exit: 1, text: expect.stringMatching(/^There is no file .*none\.tar/u) })
}, 120_000)
