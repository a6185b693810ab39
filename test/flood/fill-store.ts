import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fillDisk, freeDisk, mayMountDisks, mountSmallDisk, unmountSmallDisk } from '../chaos/small-disk.ts'
import { waitUntilReady } from '../support/wait-until-ready.ts'
import { readStatus } from './count-statuses.ts'
import { ask } from './expensive-questions.ts'
import type { FloodOptions, FloodOutcome } from './flood-scenario.ts'
import { messagePath, searchPath, startFloodTarget, type FloodTarget } from './flood-target.ts'
import { networkAddress } from './network-address.ts'

const expectedFull = { answer: 503, search: 200, job: 503, ready: 503, health: 200 }
const expectedFree = { answer: 200, search: 200, job: 201, ready: 200, health: 200 }

/** Fills the disk under the data folder while the server runs, and frees it again. */
export async function fillStore({ checkout }: FloodOptions): Promise<FloodOutcome> {
  if (!mayMountDisks()) return { figures: { skipped: 'A small disk cannot be mounted here.' }, faults: [] }
  const folder = await mkdtemp(join(tmpdir(), 'docent-flood-'))
  mountSmallDisk(folder)
  try {
    const target = await startFloodTarget({ checkout, folder })
    try {
      await probe(target, 0)
      fillDisk(folder)
      const full = await probe(target, 1)
      freeDisk(folder)
      await waitUntilReady(target.url)
      const free = await probe(target, 2)
      return {
        figures: { full, free },
        faults: [...compare('full', full, expectedFull), ...compare('free again', free, expectedFree)],
      }
    } finally {
      await target.remove()
    }
  } finally {
    unmountSmallDisk(folder)
    await rm(folder, { recursive: true, force: true })
  }
}

type DiskStatuses = Record<keyof typeof expectedFull, number>

/** Asks until the room within files that exist already is used up. @returns The last statuses. */
async function probe(target: FloodTarget, round: number): Promise<DiskStatuses> {
  let statuses: DiskStatuses | null = null
  for (let times = 0; times < 20; times++) {
    const from = networkAddress(round * 100 + times)
    statuses = {
      answer: await readStatus(target.post(messagePath, ask('What does an assistant key do?'), from)),
      search: await readStatus(target.post(searchPath, { query: `key ${times}` }, from)),
      job: await readStatus(
        target.postAsAdmin('/v2/agent/default/job', { prompt: 'Set the description of page index to "x".' }),
      ),
      ready: await readStatus(fetch(`${target.url}/readyz`)),
      health: await readStatus(fetch(`${target.url}/healthz`)),
    }
  }
  return statuses as DiskStatuses
}

function compare(when: string, found: DiskStatuses, expected: DiskStatuses): string[] {
  return Object.entries(expected).flatMap(([name, status]) =>
    found[name as keyof DiskStatuses] === status
      ? []
      : [`${when}: ${name} is ${found[name as keyof DiskStatuses]}, not ${status}`],
  )
}
