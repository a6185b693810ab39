import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { openStore } from '../../src/store/open-store.ts'
import { fillDisk, freeDisk, mayMountDisks, mountSmallDisk, unmountSmallDisk } from '../chaos/small-disk.ts'
import { runCommand } from '../support/run-command.ts'
import { type Docent, startDocent } from '../support/start-docent.ts'

const mayMount = mayMountDisks()
if (!mayMount) process.stderr.write('Skipped backups on a full disk: this user may not mount a file system.\n')

const undo: (() => unknown)[] = []

afterEach(async () => {
  for (const step of undo.splice(0).toReversed()) await step()
})

/** A file system of a few megabytes. */
async function makeSmallDisk(sizeMb: number): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'docent-disk-'))
  undo.push(() => rm(folder, { recursive: true, force: true }))
  mountSmallDisk(folder, sizeMb)
  undo.push(() => unmountSmallDisk(folder))
  return folder
}

/** A service whose database is larger than a megabyte, however it is packed. */
async function startFilled(folder: string): Promise<Docent> {
  const store = await openStore({ folder })
  const values = Array.from({ length: 100 }, (_, row) => ({
    name: `row-${row}`,
    value: randomBytes(12_000).toString('hex'),
  }))
  await store.durable.insertInto('installation').values(values).execute()
  await store.close()
  const docent = await startDocent({ folder })
  undo.push(() => docent.stop())
  return docent
}

async function ask(docent: Docent): Promise<string> {
  const messages = [{ role: 'user', parts: [{ type: 'text', text: 'How do I open the kiosk?' }] }]
  const response = await docent.post('/discovery/v2/assistant/docs/message', { fp: 'anonymous', messages })
  return response.text()
}

async function backUp(target: string, folder: string) {
  const command = runCommand(['backup', target], { DOCENT_DATA: folder })
  const exit = await command.exit
  return { exit, said: command.stderr(), printed: command.stdout() }
}

const refused = {
  exit: 1,
  said: expect.stringMatching(/^There is no space left for the backup .*Nothing was kept of it\. Free some space/u),
  printed: '',
}

it.skipIf(!mayMount)(
  'ends a backup that finds no room with a sentence and leaves nothing of it',
  async () => {
    const [disk, folder] = [await makeSmallDisk(1), await mkdtemp(join(tmpdir(), 'docent-full-'))]
    undo.unshift(() => rm(folder, { recursive: true, force: true }))
    const docent = await startFilled(folder)

    const outcome = await backUp(join(disk, 'backup.tar'), folder)

    expect(outcome).toEqual(refused)
    expect(await readdir(disk)).toEqual([])
    expect(await ask(docent)).toContain('"finishReason":"stop"')
  },
  240_000,
)

it.skipIf(!mayMount)(
  'goes on serving on the disk that a backup has filled, and backs up once there is room',
  async () => {
    const disk = await makeSmallDisk(48)
    const folder = join(disk, 'data')
    await mkdir(folder)
    const docent = await startFilled(folder)
    fillDisk(disk, 1_000_000)

    const outcome = await backUp(join(disk, 'backup.tar'), folder)
    const during = await ask(docent)
    freeDisk(disk)
    const after = await backUp(join(disk, 'backup.tar'), folder)

    expect(outcome).toEqual(refused)
    expect(during).toContain('"finishReason":"stop"')
    expect(after).toMatchObject({ exit: 0 })
    expect((await readdir(disk)).toSorted()).toEqual(['backup.tar', 'data'])
  },
  240_000,
)
